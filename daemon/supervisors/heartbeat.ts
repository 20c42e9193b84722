import { setTimeout as delay } from 'node:timers/promises';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** How often a supervisor is asked, and how long it may take to answer, milliseconds. */
const EVERY_MS = 3_000;
/** So many missed answers in a row, a minute and more, and it will not come back by itself. Counted, not timed: the machine may sleep. */
const HUNG_AFTER = 12;

export interface HeartbeatOptions {
  /** It has stopped answering, or answers again. */
  onChange: (answers: boolean) => void;
  /** With each answer. */
  onAnswer: () => void;
  /** It has not answered for so long that it is not going to. */
  onHung: () => void;
  signal: AbortSignal;
  everyMs?: number;
}

/** Asks a supervisor again and again whether it is there: one that hangs closes no connection. Resolves when `signal` fires. */
export async function watchHeartbeat(
  { client }: Pick<SupervisorLink, 'client'>,
  { onChange, onAnswer, onHung, signal, everyMs = EVERY_MS }: HeartbeatOptions,
): Promise<void> {
  for (let missed = 0; ; ) {
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined); // cut short only by the signal
    if (signal.aborted) return;
    // Asking for its stats shows no need of it.
    const answers = await client.call.stats(undefined, { timeoutMs: everyMs, signal }).then(() => true, isAnswer);
    if (signal.aborted) return;
    if (answers && missed > 0) onChange(true);
    if (answers) onAnswer();
    if (!answers && missed === 0) onChange(false);
    missed = answers ? 0 : missed + 1;
    if (missed === HUNG_AFTER) onHung();
  }
}

/** True for a refusal: whoever refuses is there. */
export function isAnswer(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code !== 'worker_unavailable';
}
