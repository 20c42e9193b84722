import { parseGameAddress } from '../../../../shared/domain/tunnel/game-address.ts';
import type { StaticTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { type Provider, TunnelError } from '../provider.ts';

/** An address whose port the owner forwards: there is nothing to open and nothing to lose, but much to check. */
export function createStaticProvider({ address: text }: StaticTunnelSettings): Provider {
  return {
    name: 'static',
    async open() {
      const address = parseGameAddress(text);
      if (!address) throw new TunnelError(`"${text}" is not an address. Set one such as play.example.net:25565.`);
      return { address, lost: new Promise(() => undefined), close: async () => undefined };
    },
  };
}
