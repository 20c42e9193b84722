import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { isAlive } from '../../shared/node/processes/process-identity.ts';
import { readProcess } from '../../shared/node/processes/recorded-process.ts';
import { PROGRAMS, SUPERVISOR_FLAGS } from '../processes/programs.ts';
import type { Supervisors } from './supervisors.ts';

/** Between two looks whether the command that upgrades has ended. Milliseconds. */
const UPGRADE_LOOK_MS = 100;
/** A program that takes longer to say that it was started by hand does not work. Milliseconds. */
const LOADS_WITHIN_MS = 20_000;
/** Between two attempts at supervisors that cannot leave now, milliseconds. It doubles each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface ReplaceOptions {
  home: Pick<Home, 'upgradeRecord'>;
  supervisors: Pick<Supervisors, 'outdated' | 'replace'>;
  log: Logger;
  /** Fires when the daemon shuts down. */
  signal: AbortSignal;
  /** For tests. */
  overrides?: { entry?: string; firstPauseMs?: number };
}

/**
 * Replaces the supervisors of other versions by those of this one, one after the other, while their games run. Repeats it for those that cannot
 * leave now. Keeps them all until a running `gamekeeper upgrade` has ended, which may return to the former version, and stops if the new program
 * does not work. Never throws.
 */
export async function replaceOutdated({
  home,
  supervisors,
  log,
  signal,
  overrides = {},
}: ReplaceOptions): Promise<void> {
  await untilUpgraded(home.upgradeRecord, signal);
  let hasTried = false;
  /** Those of versions that do not know the call. */
  const unable = new Set<string>();
  for (let pauseMs = overrides.firstPauseMs ?? FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const ids = (await supervisors.outdated()).filter((id) => !unable.has(id));
    if (ids.length === 0 || signal.aborted) return;
    if (!hasTried && !(await loads(overrides.entry ?? PROGRAMS.supervisor)))
      return log.error('the supervisors of another version stay, because the program of this version does not work');
    hasTried = true;
    for (const id of ids) {
      if (signal.aborted) return;
      try {
        const refusal = await supervisors.replace(id);
        if (refusal?.code === 'internal_error') unable.add(id);
        if (refusal) log.info({ instance: id, why: refusal.message }, 'a supervisor of another version stays for now');
        else log.info({ instance: id }, 'a supervisor of another version was replaced');
      } catch (error) {
        return log.error(
          { err: error, instance: id },
          'supervisors of other versions stay, because one could not be replaced',
        );
      }
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined); // rejects only if aborted
  }
}

async function untilUpgraded(file: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const upgrade = await readProcess(file);
    if (!upgrade || signal.aborted || !(await isAlive(upgrade))) return;
    await delay(UPGRADE_LOOK_MS, undefined, { signal }).catch(() => undefined); // rejects only if aborted
  }
}

/** Starts the program by hand: it says what to do instead once all of it is loaded. */
function loads(entry: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...SUPERVISOR_FLAGS, entry], { timeout: LOADS_WITHIN_MS });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === EXIT.usage));
  });
}
