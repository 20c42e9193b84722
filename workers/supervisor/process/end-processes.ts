import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from './game-processes.ts';
import { descendantsOf, type FoundProcess, groupMembers } from './process-tree.ts';

const FIRST_CHECK_MS = 20;
const LONGEST_CHECK_MS = 1_000;
const MOST_LISTED = 20;
/** Most leftovers end at once, which nobody has to read about. Milliseconds. */
const WORTH_A_NOTICE_MS = 1_000;
/** A killed process is gone by then, unless it belongs to another user or waits for a broken disk. Milliseconds. */
const GONE_WITHIN_MS = 2_000;

/** Sends SIGTERM to each process of a game at most once: many programs take a second one as "exit without saving". */
export class Terminator {
  readonly #told = new Set<string>();

  /** Call this before sending SIGTERM to a process group. */
  noteGroup(leader: number): void {
    for (const member of groupMembers(leader)) this.#told.add(keyOf(member));
  }

  /** Spares what processes that were told have started since, such as a program that compresses what they save. */
  terminate(processes: readonly FoundProcess[]): void {
    const told = processes.filter((found) => this.#told.has(keyOf(found)));
    const helpers = new Set(descendantsOf(told, processes));
    for (const found of processes) {
      if (this.#told.has(keyOf(found)) || helpers.has(found)) continue;
      this.#told.add(keyOf(found));
      sendSignal(found.pid, 'SIGTERM');
    }
  }
}

/** Pids are reused, but not together with a start time. */
function keyOf({ pid, startTicks }: FoundProcess): string {
  return `${pid} ${startTicks}`;
}

export interface EndOptions {
  /** From SIGTERM to SIGKILL, milliseconds. */
  graceMs: number;
  terminator: Terminator;
  notice: (text: string) => void;
  /** Kills without waiting any longer. */
  hurry?: AbortSignal;
}

/** Ends what `remaining` finds: SIGTERM, then SIGKILL. Resolves to the processes that cannot be ended, those of another user for example. */
export async function endProcesses(
  remaining: () => FoundProcess[] | Promise<FoundProcess[]>,
  { graceMs, terminator, notice, hurry }: EndOptions,
): Promise<FoundProcess[]> {
  const begun = performance.now();
  let noticed = false;
  let killedAt: number | undefined;
  for (let pauseMs = FIRST_CHECK_MS; ; pauseMs = Math.min(LONGEST_CHECK_MS, pauseMs * 2)) {
    const left = await remaining();
    const now = performance.now();
    if (left.length === 0 || (killedAt !== undefined && now - killedAt >= GONE_WITHIN_MS)) return left;
    if (hurry?.aborted || now - begun >= graceMs) {
      if (killedAt === undefined) {
        notice(`Sending SIGKILL to ${described(left)}.`);
        pauseMs = FIRST_CHECK_MS;
      }
      killedAt ??= now;
      for (const { pid } of left) sendSignal(pid, 'SIGKILL');
    } else {
      terminator.terminate(left);
      if (!noticed && now - begun >= Math.min(WORTH_A_NOTICE_MS, graceMs / 2)) {
        noticed = true;
        notice(
          `Waiting for ${described(left)} to end after SIGTERM. SIGKILL follows in ${seconds(graceMs - (now - begun))}.`,
        );
      }
    }
    const untilKill = killedAt === undefined ? begun + graceMs - now : LONGEST_CHECK_MS;
    await pause(Math.max(1, Math.min(pauseMs, untilKill)), hurry);
  }
}

async function pause(ms: number, hurry: AbortSignal | undefined): Promise<void> {
  const cut = hurry && !hurry.aborted ? { signal: hurry } : {};
  await sleep(ms, undefined, cut).catch(() => undefined); // rejects only if cut short
}

/** Returns the processes for a notice: `process 17 (java) and 2 others`. */
export function described([first, ...others]: readonly FoundProcess[]): string {
  if (!first) return 'no process';
  const more = others.length === 0 ? '' : ` and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
  return `process ${first.pid} (${first.command})${more}`;
}

/** Returns the processes for a notice, each with its pid and program. */
export function listed(processes: readonly FoundProcess[]): string {
  const shown = processes.slice(0, MOST_LISTED).map(({ pid, command }) => `${pid} (${command})`);
  const more = processes.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}
