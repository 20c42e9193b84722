import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Player } from '../../../shared/schema/answers.ts';
import type { FolderLock } from '../folder/folder-lock.ts';
import type { GameServices } from '../game/game-process.ts';
import { EmptyWatch } from '../sleep/empty-watch.ts';
import type { PlayerCount } from '../vitals/vitals.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { PendingRestart } from './pending-restart.ts';

export interface RestartWhenEmptyOptions {
  lifecycle: Pick<Lifecycle, 'phase' | 'restartEmpty'>;
  pending: Pick<PendingRestart, 'waitsForEmpty'>;
  folderLock: Pick<FolderLock, 'activity'>;
  /** Returns who plays, from every source. */
  players: () => Promise<Player[]>;
  services: Pick<GameServices, 'console' | 'log'>;
}

export interface RestartWhenEmpty {
  playersChanged(): void;
  /** Call this with the running server's answer to each list ping; `undefined` if there was none. */
  pinged(answer: PlayerCount | undefined): void;
}

/** Carries out a restart that waits until nobody is online, once two list pings in a row have shown nobody. */
export function createRestartWhenEmpty(options: RestartWhenEmptyOptions): RestartWhenEmpty {
  const { lifecycle, pending, folderLock, players, services } = options;
  const empty = new EmptyWatch();
  /** How often a player came or left, or was online at a ping. */
  let seen = 0;

  async function restart(): Promise<void> {
    empty.disturb();
    const seenBefore = seen;
    try {
      if ((await players()).length > 0) return; // some servers hide players from the server list
      // Both may take seconds, in which somebody may join.
      if (await lifecycle.restartEmpty(() => seen === seenBefore))
        services.console.appendNotice('Nobody is online: restarting, as requested before.');
    } catch (error) {
      // A locked folder: it is tried again.
      if (!(error instanceof GamekeeperError))
        services.log('error', 'the server could not be restarted while empty', { error });
    }
  }

  return {
    playersChanged() {
      seen++;
      empty.disturb();
    },
    pinged(answer) {
      if (answer && answer.online > 0) seen++;
      if (!pending.waitsForEmpty || lifecycle.phase !== 'running' || folderLock.activity) return empty.disturb();
      if (empty.observe(answer?.online, performance.now()) > 0) void restart();
    },
  };
}
