import type { TickQuestion } from '../../../shared/domain/software/definition.ts';
import type { RconSession } from '../rcon/session.ts';
import { readTickAnswer, type TickStats } from './tick-answer.ts';

/** As fine as charts are drawn; each time costs the server one command that changes nothing. */
export const TICKS_EVERY_MS = 10_000;
/** RCON opens a moment after the server is ready. */
const FIRST_ASK_MS = 2_000;
/** Longer pauses are a save or a stall, at which the connection is given up; the next one is logged by the server, so it is not soon. */
const ANSWER_PATIENCE_MS = 15_000;
const REST_AFTER_FAILURE = 6;
/** A server that has never answered by then has other uses for RCON. */
const MOST_FRUITLESS = 3;

export interface TickWatchOptions {
  /** In the order in which they are tried. */
  questions: readonly TickQuestion[];
  rcon: Pick<RconSession, 'run' | 'isBusy'>;
  /** Whether the server has time for questions: not while it stops. */
  mayAsk: () => boolean;
  /** Between two questions. Milliseconds. */
  everyMs: number;
  /** Called when `stats` has changed. */
  onChange: () => void;
}

export interface TickWatch {
  /** As of the last answer; absent where the last question got none. */
  readonly stats: TickStats | undefined;
  stop(): void;
}

/**
 * Asks a server how long its ticks take, over RCON and never over the console. None of these commands is one that vanilla and its
 * descendants tell operators or the log about (`sendSuccess` without `broadcastToAdmins`); what they leave there is the line of the one
 * connection. A question that the server does not understand is not asked again in this run, and everybody else's commands go first.
 */
export function watchTicks({ questions, rcon, mayAsk, everyMs, onChange }: TickWatchOptions): TickWatch {
  const left = questions.map(({ command, pattern }) => ({ command, pattern: new RegExp(pattern) }));
  let stats: TickStats | undefined;
  let hasAnswered = false;
  let fruitless = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function ask(): Promise<TickStats | undefined> {
    for (let [question] = left; question && !stopped && mayAsk(); [question] = left) {
      const answer = await rcon.run(question.command, { timeoutMs: ANSWER_PATIENCE_MS });
      hasAnswered = true;
      const found = readTickAnswer(answer, question.pattern);
      if (found) return found;
      left.shift();
    }
    return undefined;
  }

  /** Resolves to how long to wait for the next turn. */
  async function turn(): Promise<number> {
    // A flush of a large world holds RCON for minutes: the stats before it are better than none.
    if (rcon.isBusy || !mayAsk()) return everyMs;
    try {
      show(await ask());
      fruitless = 0;
      return everyMs;
    } catch {
      // Why RCON gives no answer is told to whoever needs one.
      show(undefined);
      fruitless++;
      if (!hasAnswered && fruitless === MOST_FRUITLESS) left.length = 0;
      return everyMs * REST_AFTER_FAILURE;
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
