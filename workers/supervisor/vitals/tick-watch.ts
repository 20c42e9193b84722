import type { TickQuestion } from '../../../shared/domain/software/definition.ts';
import { ownerPatterns } from '../game/owner-patterns.ts';
import type { RconSession } from '../rcon/session.ts';
import { readTickAnswer, type TickStats } from './tick-answer.ts';

/** The resolution of the charts. Each question costs the server one read-only command. */
export const TICKS_EVERY_MS = 10_000;
/** RCON opens just after the server is ready. */
const FIRST_ASK_MS = 2_000;
/**
 * A longer pause means a save or a stall; the connection is then dropped. The server logs each connection, so the next attempt has to wait.
 * Milliseconds.
 */
const ANSWER_TIMEOUT_MS = 15_000;
const PAUSE_AFTER_FAILURE = 6;
/** After this many failures, a server that never answered is not asked again. */
const MOST_FAILURES = 3;

export interface TickWatchOptions {
  /** The questions, in the order in which they are tried. */
  questions: readonly TickQuestion[];
  rcon: Pick<RconSession, 'run' | 'isBusy'>;
  /** False while the server has no time for questions, because it stops. */
  mayAsk: () => boolean;
  /** Between two questions, milliseconds. */
  everyMs: number;
  onChange: () => void;
}

export interface TickWatch {
  /** The last answer; absent if the last question got none. */
  readonly stats: TickStats | undefined;
  stop(): void;
}

/**
 * Asks a server for its tick time, over RCON and never over the console. Vanilla and servers based on it report none of these commands to
 * operators or the log (`sendSuccess` without `broadcastToAdmins`); only the one connection is logged. A question that the server does not
 * understand is not repeated in this run, and all other commands go first.
 */
export function watchTicks({ questions, rcon, mayAsk, everyMs, onChange }: TickWatchOptions): TickWatch {
  const left = questions.map(({ command, pattern }) => ({ command, pattern: new RegExp(pattern) }));
  let stats: TickStats | undefined;
  let hasAnswered = false;
  let failures = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function ask(): Promise<TickStats | undefined> {
    for (let [question] = left; question && !stopped && mayAsk(); [question] = left) {
      const answer = await rcon.run(question.command, { timeoutMs: ANSWER_TIMEOUT_MS });
      hasAnswered = true;
      const { pattern } = question;
      const found = ownerPatterns.one(() => readTickAnswer(answer, pattern) ?? null);
      if (found) return found;
      // The answer was not searched, which says nothing about the question.
      if (found === undefined) return undefined;
      left.shift();
    }
    return undefined;
  }

  /** Resolves to the pause before the next turn, milliseconds. */
  async function turn(): Promise<number> {
    // A flush of a large world blocks RCON for minutes, and patterns that take too long may leave no time for the answer. The previous stats are
    // better than none.
    if (rcon.isBusy || !mayAsk() || ownerPatterns.isSpent) return everyMs;
    try {
      show(await ask());
      failures = 0;
      return everyMs;
    } catch {
      // Requests that need RCON report why it does not answer.
      show(undefined);
      failures++;
      if (!hasAnswered && failures === MOST_FAILURES) left.length = 0;
      return everyMs * PAUSE_AFTER_FAILURE;
    }
  }

  function show(next: TickStats | undefined): void {
    if (stopped || (next?.tickTimeMs === stats?.tickTimeMs && next?.tps === stats?.tps)) return;
    stats = next;
    onChange();
  }

  function wait(ms: number): void {
    if (stopped || left.length === 0) return;
    timer = setTimeout(() => void turn().then(wait), ms);
  }
  wait(Math.min(FIRST_ASK_MS, everyMs));

  return {
    get stats() {
      return stats;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
