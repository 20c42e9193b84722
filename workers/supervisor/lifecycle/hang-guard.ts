import type { FolderLock } from '../folder/folder-lock.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { PingOutcome } from '../vitals/vitals.ts';
import { HangWatch } from './hang-watch.ts';
import type { Lifecycle } from './lifecycle.ts';

/** For instances without a setting: far longer than any pause of Java or of a disk. Seconds. */
const DEFAULT_HANG_SECONDS = 180;
/** A server that answers over RCON is alive even if it answers no pings. Milliseconds. */
const RCON_TIMEOUT_MS = 30_000;

export interface HangGuardOptions {
  settings: InstanceSettings;
  lifecycle: Pick<Lifecycle, 'phase' | 'game' | 'endHung'>;
  /** While the folder is locked, the server may be busy flushing a large world. */
  folderLock: Pick<FolderLock, 'isLocked'>;
}

export interface HangGuard {
  update(): void;
  /** Call this with the outcome of each list ping of the running server. */
  pinged(outcome: PingOutcome): void;
}

/** Ends a server that answered list pings in this run and has stopped answering. The crash policy then decides whether to restart it. */
export function createHangGuard({ settings, lifecycle, folderLock }: HangGuardOptions): HangGuard {
  let watch = new HangWatch();
  let isAsking = false;

  async function judge(seconds: number): Promise<void> {
    isAsking = true;
    try {
      const answers = await lifecycle.game?.rcon?.run('list', { timeoutMs: RCON_TIMEOUT_MS }).then(
        () => true,
        () => false, // as little evidence as the pings
      );
      if (answers) watch.excuse();
      else await lifecycle.endHung(`Hung: no answer to the server list ping for ${seconds} s.`);
    } finally {
      isAsking = false;
    }
  }

  return {
    update() {
      if (lifecycle.phase !== 'running') watch = new HangWatch();
    },
    pinged({ failure }) {
      const { hangSeconds = DEFAULT_HANG_SECONDS } = settings.current;
      const silentMs = watch.observe(failure, performance.now());
      if (folderLock.isLocked) watch.excuse();
      else if (hangSeconds > 0 && silentMs >= hangSeconds * 1000 && !isAsking) void judge(hangSeconds);
    },
  };
}
