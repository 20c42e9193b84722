import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import type { Client } from 'ssh2';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import type { Traffic } from '../traffic.ts';

/** Connects each player who comes in through the SSH server to the game. Each side holds back the other when it is slow. */
export function forwardConnections(client: Client, target: () => TunnelTarget, traffic: Traffic): void {
  client.on('tcp connection', (_details, accept, reject) => {
    const { host, port } = target();
    const game = connect({ host, port, noDelay: true, allowHalfOpen: true });
    game.once('error', () => reject()); // the game does not listen; has no effect after `accept`
    game.once('connect', () => {
      game.removeAllListeners('error');
      traffic.follow(game);
      const player = accept();
      // A failure on either side ends that direction and then the other, which is all there is to do.
      pipeline(player, game, () => undefined);
      pipeline(game, player, () => undefined);
    });
  });
}
