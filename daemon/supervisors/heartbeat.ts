import { setTimeout as delay } from 'node:timers/promises';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** How often a supervisor is asked, and how long it may take to answer, milliseconds. */
const EVERY_MS = 3_000;
/** After so many missed answers in a row, over a minute, it will not recover. Counted and not timed, because the machine may sleep. */
const HUNG_AFTER = 12;

export interface HeartbeatOptions {
  /** It has stopped answering, or answers again. */
  onChange: (answers: boolean) => void;
  onAnswer: () => void;
  onHung: () => void;
  signal: AbortSignal;
  everyMs?: number;
}

/** Asks a supervisor regularly whether it answers: one that hangs closes no connection. Resolves when `signal` fires. */
export async function watchHeartbeat(
  { client }: Pick<SupervisorLink, 'client'>,
  { onChange, onAnswer, onHung, signal, everyMs = EVERY_MS }: HeartbeatOptions,
): Promise<void> {
  for (let missed = 0; ; ) {
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined); // rejects only if aborted
    if (signal.aborted) return;
    // A request for stats does not reset a supervisor's idle time, so it can still exit when idle.
    const answers = await client.call.stats(undefined, { timeoutMs: everyMs, signal }).then(() => true, isAnswer);
    if (signal.aborted) return;
    if (answers && missed > 0) onChange(true);
    if (answers) onAnswer();
    if (!answers && missed === 0) onChange(false);
    missed = answers ? 0 : missed + 1;
    if (missed === HUNG_AFTER) onHung();
  }
}

/** True for a refusal: a process that refuses is alive. */
export function isAnswer(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code !== 'worker_unavailable';
}
