import type { TunnelSettings } from '../../../shared/schema/tunnel.ts';
import { createFrpProvider } from './frp/frp-provider.ts';
import { createPlayitProvider } from './playit/playit-provider.ts';
import type { Provider } from './provider.ts';
import { type AskPermit, createRelayProvider } from './relay/relay-provider.ts';
import { createSshProvider } from './ssh/ssh-provider.ts';
import { createStaticProvider } from './static/static-provider.ts';

export interface ProviderNeeds {
  /** For files that only this tunnel uses; it need not exist. */
  folder: string;
  /** Its id. */
  instance: string;
  askPermit: AskPermit;
}

export function createProvider(settings: TunnelSettings, { folder, instance, askPermit }: ProviderNeeds): Provider {
  switch (settings.provider) {
    case 'static':
      return createStaticProvider(settings);
    case 'ssh':
      return createSshProvider(settings);
    case 'frp':
      return createFrpProvider(settings, { folder });
    case 'playit':
      return createPlayitProvider(settings, { folder, instance });
    case 'relay':
      return createRelayProvider(settings, askPermit);
  }
}
