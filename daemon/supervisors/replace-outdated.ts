import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
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
  await untilUpgraded(home.upgradeRecord, { log, signal });
  const known: Known = { unable: new Set(), reasons: new Map() };
  let works: boolean | undefined;
  for (let pauseMs = overrides.firstPauseMs ?? FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    try {
      const ids = (await supervisors.outdated()).filter((id) => !known.unable.has(id));
      if (ids.length === 0 || signal.aborted) return;
      works ??= await loads(overrides.entry ?? PROGRAMS.supervisor);
      if (!works)
        return log.error('the supervisors of another version stay, because the program of this version does not work');
      for (const id of ids) if (!signal.aborted) await replaceOne(id, { supervisors, log, known });
    } catch (error) {
      return log.error({ err: error }, 'supervisors of other versions stay, because one could not be replaced');
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined); // rejects only if aborted
  }
}

interface Known {
  /** Those of versions that do not know the call. */
  unable: Set<string>;
  /** The last reasons not to leave. */
  reasons: Map<string, string>;
}

/** Throws if the server has lost its supervisor. */
async function replaceOne(
  id: string,
  { supervisors, log, known }: Pick<ReplaceOptions, 'supervisors' | 'log'> & { known: Known },
): Promise<void> {
  const refusal = await supervisors.replace(id);
  if (!refusal) return log.info({ instance: id }, 'a supervisor of another version was replaced');
  const why = refusal.message;
  if (known.reasons.get(id) !== why) log.info({ instance: id, why }, 'a supervisor of another version stays for now');
  known.reasons.set(id, why);
  if (refusal.code === 'internal_error') known.unable.add(id);
}

async function untilUpgraded(file: string, { log, signal }: Pick<ReplaceOptions, 'log' | 'signal'>): Promise<void> {
  const onFailure = (error: unknown) => log.warn({ err: error }, 'could not check whether an upgrade is running');
  for (;;) {
    const upgrade = await readProcess(file);
    if (!upgrade || !(await retry(() => isAlive(upgrade), { onFailure, signal }))) return;
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
