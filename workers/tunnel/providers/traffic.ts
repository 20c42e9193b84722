import type { Socket } from 'node:net';
import type { TunnelTraffic } from '../../../shared/domain/tunnel/tunnel-status.ts';

/** Counts what passes between the players of a tunnel and the game. */
export class Traffic {
  readonly #open = new Set<Socket>();
  readonly #ended: TunnelTraffic = { fromPlayers: 0, toPlayers: 0 };

  /** Counts a connection to the game until it closes. */
  follow(game: Socket): void {
    this.#open.add(game);
    game.once('close', () => {
      this.#open.delete(game);
      this.add({ fromPlayers: game.bytesWritten, toPlayers: game.bytesRead });
    });
  }

  /** Counts datagrams. */
  add({ fromPlayers, toPlayers }: TunnelTraffic): void {
    this.#ended.fromPlayers += fromPlayers;
    this.#ended.toPlayers += toPlayers;
  }

  /** Returns the sums since the tunnel process began. */
  read(): TunnelTraffic {
    const sums = { ...this.#ended };
    for (const { bytesWritten, bytesRead } of this.#open) {
      sums.fromPlayers += bytesWritten;
      sums.toPlayers += bytesRead;
    }
    return sums;
  }
}
