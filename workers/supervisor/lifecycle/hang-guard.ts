import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { PingOutcome } from '../vitals/vitals.ts';
import { HangWatch } from './hang-watch.ts';
import type { Lifecycle } from './lifecycle.ts';

/** For instances that say nothing about it: far beyond any pause of Java's or of a disk's. Seconds. */
const DEFAULT_HANG_SECONDS = 180;
/** A server that has RCON and answers there is alive, whatever keeps it from answering pings. Milliseconds. */
const SECOND_OPINION_MS = 30_000;

export interface HangGuardOptions {
  config: () => InstanceConfig;
  lifecycle: Pick<Lifecycle, 'phase' | 'game' | 'endHung'>;
  /** Whether somebody holds the folder: a flush of a large world is an excuse. */
  isHeld: () => boolean;
}

export interface HangGuard {
  /** To be called after each transition. */
  update(): void;
  /** To be called with what each list ping of the running server has brought. */
  pinged(outcome: PingOutcome): void;
}

/** Ends a server that has answered the server list's ping in this run and does nothing any more, for its crash policy to see to. */
export function createHangGuard({ config, lifecycle, isHeld }: HangGuardOptions): HangGuard {
  let watch = new HangWatch();
  let isAsking = false;

  async function judge(seconds: number): Promise<void> {
    isAsking = true;
    try {
      const answers = await lifecycle.game?.rcon?.run('list', { timeoutMs: SECOND_OPINION_MS }).then(
        () => true,
        () => false, // says no more than the pings
      );
      if (answers) watch.excuse();
      else await lifecycle.endHung(`Hung: it had not answered the server list's ping for ${seconds} s.`);
    } finally {
      isAsking = false;
    }
  }

  return {
    update() {
      if (lifecycle.phase !== 'running') watch = new HangWatch();
    },
    pinged({ failure }) {
      const { hangSeconds = DEFAULT_HANG_SECONDS } = config();
      const silentMs = watch.observe(failure, performance.now());
      if (isHeld()) watch.excuse();
      else if (hangSeconds > 0 && silentMs >= hangSeconds * 1000 && !isAsking) void judge(hangSeconds);
    },
  };
}
