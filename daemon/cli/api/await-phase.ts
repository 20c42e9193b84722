import { setTimeout as delay } from 'node:timers/promises';
import { isLive, type Phase } from '../../../shared/domain/instance/phase.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { progressLine } from '../terminal/progress-bar.ts';
import { formatSeconds } from '../terminal/quantities.ts';
import { Failure } from './failure.ts';
import type { Session } from './session.ts';

const LOOK_EVERY_MS = 200;
/** A large modded server takes minutes to start. After this the command gives up, not the server. Milliseconds. */
const PATIENCE_MS = 10 * 60_000;
/**
 * A restart passes through `stopped`, and the reported state lags behind, so a server counts as stopped only after this time. Milliseconds.
 */
const SETTLING_MS = 3_000;

/**
 * Waits until an instance is in the `wanted` phase, and shows a progress line. Throws a Failure if it stops in another phase (a start that
 * crashed) or takes too long. `begun`: only a run that began after this call counts.
 */
export async function awaitPhase(
  { api }: Session,
  id: string,
  { wanted, begun = false, doing }: { wanted: Phase; begun?: boolean; doing: string },
): Promise<Instance> {
  const start = performance.now();
  const line = progressLine(process.stderr);
  const earlierCrash = (await look()).crash?.at;
  let restingSince: number | undefined;
  try {
    for (;;) {
      const instance = await look();
      const { phase = 'stopped', crash, uptimeSeconds = 0 } = instance;
      const waitedMs = performance.now() - start;
      // The uptime is rounded down, so for a run that began after this call it never exceeds the time waited.
      if (phase === wanted && !(begun && uptimeSeconds * 1000 > waitedMs)) return instance;
      restingSince = isLive(phase) ? undefined : (restingSince ?? waitedMs);
      const isFinal = restingSince !== undefined && waitedMs - restingSince > SETTLING_MS;
      if (isFinal || crash?.at !== earlierCrash) throw endedElsewhere(instance);
      if (waitedMs > PATIENCE_MS)
        throw new Failure(`${instance.name} is still ${phase} after ${formatSeconds(waitedMs / 1000)}.`);
      line.show(`${instance.name} is ${doing}… ${formatSeconds(Math.floor(waitedMs / 1000))}`);
      await delay(LOOK_EVERY_MS);
    }
  } finally {
    line.clear();
  }

  async function look(): Promise<Instance> {
    return (await api.request<Instance>('GET', `/instances/${encodeURIComponent(id)}`)).body;
  }
}

function endedElsewhere({ id, name, phase, crash }: Instance): Failure {
  const reason = crash ? `: ${crash.reason}` : '';
  return new Failure(`${name} is ${phase}${reason}.\nSee its console: npx gamekeeper logs ${id}`);
}
