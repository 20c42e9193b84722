import type { Phase } from '../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/**
 * What an instance can be doing, and what can happen to it. Everything that is not in the table is an error.
 *
 *               provision                    launch                    ready
 *   stopped ───────────────▶ provisioning ───────────────▶ starting ───────────▶ running
 *    │ ▲ ▲                     │       │                   ▲ │ │ │               │ │ │
 *    │ │ └───────stop──────────┘       │                   │ │ │ └─────stop───┐  │ │ │
 *    └─┼──────────launch───────────────┼───────────────────┘ │ │              ▼  │ │ │
 *      └──────────ended────────────────┼─────────────────────┘ │       stopping◀─┘ │ │
 *                                    failed                    │          │ ended  │ │
 *                                      ▼        gave-up        │          ▼        │ │
 *                      ┌──────────▶ crashed ◀──────────────────┤       stopped ◀───┘ │
 *                      │ failed                                │            ended    │
 *                   waiting ◀────────────crashed───────────────┴─────────────────────┘
 *
 *   waiting: it crashed and will be started again. From waiting and crashed, `provision` and `launch` lead on as from
 *   stopped; `stop` ends the waiting. `failed` leads from stopped to crashed where the second half of a restart cannot be.
 *   sleeping: it was stopped because nobody played, and is started when somebody joins. `slept` leads there from stopping, and from
 *   stopped where it was asleep before; on and out as for stopped, and by `stop` back to it.
 */
const TABLE = {
  stopped: { provision: 'provisioning', launch: 'starting', failed: 'crashed', slept: 'sleeping' },
  sleeping: { provision: 'provisioning', launch: 'starting', stop: 'stopped' },
  provisioning: { launch: 'starting', stop: 'stopped', failed: 'crashed' },
  starting: { ready: 'running', stop: 'stopping', crashed: 'waiting', 'gave-up': 'crashed' },
  running: { stop: 'stopping', ended: 'stopped', crashed: 'waiting', 'gave-up': 'crashed' },
  stopping: { stop: 'stopping', ended: 'stopped', slept: 'sleeping' },
  waiting: { provision: 'provisioning', launch: 'starting', stop: 'stopped', failed: 'crashed' },
  crashed: { provision: 'provisioning', launch: 'starting' },
} as const satisfies Record<string, Partial<Record<string, string>>>;

export type State = keyof typeof TABLE;

/**
 * - `provision`: software and runtime are being put in place
 * - `launch`: the process was spawned
 * - `ready`: players can join
 * - `stop`: the operator wants it to end
 * - `ended`: the process is gone, as was asked for or in peace
 * - `slept`: the process is gone until somebody wants to play
 * - `crashed`: it is gone unasked, and will be started again
 * - `gave-up`: it is gone unasked, and stays so
 * - `failed`: it could not even be spawned
 */
export type Event = 'provision' | 'launch' | 'ready' | 'stop' | 'ended' | 'slept' | 'crashed' | 'gave-up' | 'failed';

/** True when the table has an answer. */
export function isAllowed(state: State, event: Event): boolean {
  return event in TABLE[state];
}

/** The state that follows. Throws `invalid_state` for an event that the table does not allow. */
export function nextState(state: State, event: Event): State {
  const row: Partial<Record<Event, State>> = TABLE[state];
  const next = row[event];
  if (next === undefined) throw refusal(state, event);
  return next;
}

/** The word for users. A server that waits for its restart has crashed. */
export function phaseOf(state: State): Phase {
  return state === 'waiting' ? 'crashed' : state;
}

/** True while the game's process exists. */
export function hasProcess(state: State): boolean {
  return state === 'starting' || state === 'running' || state === 'stopping';
}

/** What to tell somebody who wants what cannot be now. */
export function refusal(state: State, event: Event): GamekeeperError {
  const wish = WISHES[event];
  return new GamekeeperError(
    'invalid_state',
    wish === undefined ? `"${event}" cannot happen while the server is ${state}.` : `The server is ${state}; ${wish}.`,
  );
}

const WISHES: Partial<Record<Event, string>> = {
  provision: 'only a server that is not running can be started',
  launch: 'only a server that is not running can be started',
  stop: 'there is nothing to stop',
};
