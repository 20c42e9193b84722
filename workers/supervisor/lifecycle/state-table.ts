import type { Intent } from '../../../shared/domain/instance/intent.ts';
import type { Phase } from '../../../shared/domain/instance/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/**
 * What an instance can be doing, and what can happen to it. An event that is missing in a state's row is refused.
 *
 *   no process ── provision ──▶ provisioning ── launch ──▶ starting ── ready ──▶ running ── hung ──▶ hung
 *    ▲ ▲ ▲  │                         │                      ▲ │                   │                   │
 *    │ │ │  └───────── launch ────────┼──────────────────────┘ └─────────┬─────────┴───────────────────┘
 *    │ │ └──────── stop, failed ──────┘                                  │
 *    │ └──────── ended, crashed, gave-up (the process just ended) ───────┤
 *    │                                                         stop, restart, sleep
 *    │                                                                   ▼
 *    └──────── ended ──────────── stopping, stopping-to-restart, stopping-to-sleep
 *
 * States without a process:
 * - `stopped`, `crashed`: nothing happens until a request.
 * - `sleeping`: the server starts when a player joins.
 * - `waiting`: the server crashed and starts again after a delay.
 * - `restarting`: the old process of a restart has ended, the new one does not exist yet.
 * - `uninspected` and the like: this supervisor has just started, and the previous one may have left a process. Starting is refused until
 *   `inspected` leads on. If a process was found, `recovered` leads to `starting`, or continues what the previous supervisor was doing. If the
 *   previous one left its game to this one, and it is gone, that is the end of a process.
 *
 * While the process is stopping, the state says what follows: `stopping` leads to `stopped`, `stopping-to-restart` to `restarting`,
 * `stopping-to-sleep` to `sleeping`. The latest request wins. `hung`: the process stopped answering and is being ended, which counts as a
 * crash.
 */
const TABLE = {
  stopped: { provision: 'provisioning', launch: 'starting', sleep: 'sleeping', failed: 'crashed' },
  sleeping: { provision: 'provisioning', launch: 'starting', stop: 'stopped' },
  crashed: { provision: 'provisioning', launch: 'starting', failed: 'crashed' },
  waiting: { provision: 'provisioning', launch: 'starting', stop: 'stopped', failed: 'crashed' },
  restarting: { provision: 'provisioning', launch: 'starting', failed: 'crashed' },

  uninspected: {
    inspected: 'stopped',
    recovered: 'starting',
    ended: 'stopped',
    crashed: 'waiting',
    'gave-up': 'crashed',
  },
  'uninspected-crashed': { inspected: 'crashed', recovered: 'starting' },
  'uninspected-waiting': { inspected: 'waiting', recovered: 'starting', stop: 'uninspected-stopping' },
  'uninspected-stopping': { inspected: 'stopped', recovered: 'stopping' },
  'uninspected-restarting': { inspected: 'restarting', recovered: 'stopping-to-restart', stop: 'uninspected-stopping' },
  'uninspected-sleeping': { inspected: 'sleeping', recovered: 'stopping-to-sleep', stop: 'uninspected-stopping' },

  provisioning: { launch: 'starting', stop: 'stopped', failed: 'crashed' },
  starting: {
    ready: 'running',
    stop: 'stopping',
    restart: 'stopping-to-restart',
    crashed: 'waiting',
    'gave-up': 'crashed',
  },
  running: {
    hung: 'hung',
    stop: 'stopping',
    restart: 'stopping-to-restart',
    sleep: 'stopping-to-sleep',
    ended: 'stopped',
    crashed: 'waiting',
    'gave-up': 'crashed',
  },
  hung: {
    stop: 'stopping',
    restart: 'stopping-to-restart',
    sleep: 'stopping-to-sleep',
    crashed: 'waiting',
    'gave-up': 'crashed',
  },
  stopping: { stop: 'stopping', restart: 'stopping-to-restart', ended: 'stopped' },
  'stopping-to-restart': { stop: 'stopping', restart: 'stopping-to-restart', ended: 'restarting' },
  'stopping-to-sleep': { stop: 'stopping', restart: 'stopping-to-restart', ended: 'sleeping' },
} as const satisfies Record<string, Partial<Record<Event, string>>>;

export type State = keyof typeof TABLE;

/**
 * Requests:
 * - `stop`, `restart`, `sleep`: the process should end, and what should follow
 *
 * A start:
 * - `provision`: jobs begins to install software and Java
 * - `launch`: the process was spawned
 * - `ready`: players can join
 * - `failed`: a start failed before there was a process
 *
 * The end of a process:
 * - `hung`: it stopped answering and was told to end
 * - `ended`: it is gone, on request or with its work done
 * - `crashed`: it is gone unexpectedly and will be started again
 * - `gave-up`: it is gone unexpectedly and will not be started again
 *
 * The beginning of a supervisor:
 * - `inspected`: nothing of the previous run is left
 * - `recovered`: the process of the previous run is under control again
 */
export type Event =
  | 'stop'
  | 'restart'
  | 'sleep'
  | 'provision'
  | 'launch'
  | 'ready'
  | 'failed'
  | 'hung'
  | 'ended'
  | 'crashed'
  | 'gave-up'
  | 'inspected'
  | 'recovered';

/** The phase that users see. */
const PHASE_OF: Readonly<Record<State, Phase>> = {
  stopped: 'stopped',
  sleeping: 'sleeping',
  crashed: 'crashed',
  waiting: 'crashed',
  restarting: 'stopped',
  uninspected: 'stopped',
  'uninspected-crashed': 'crashed',
  'uninspected-waiting': 'crashed',
  'uninspected-stopping': 'stopped',
  'uninspected-restarting': 'stopped',
  'uninspected-sleeping': 'sleeping',
  provisioning: 'provisioning',
  starting: 'starting',
  running: 'running',
  hung: 'running',
  stopping: 'stopping',
  'stopping-to-restart': 'stopping',
  'stopping-to-sleep': 'stopping',
};

/** What the next supervisor should do if this one dies now. */
const INTENT_OF: Readonly<Record<State, Intent>> = {
  stopped: 'stopped',
  sleeping: 'asleep',
  crashed: 'stopped',
  waiting: 'running',
  restarting: 'restarting',
  uninspected: 'stopped',
  'uninspected-crashed': 'stopped',
  'uninspected-waiting': 'running',
  'uninspected-stopping': 'stopped',
  'uninspected-restarting': 'restarting',
  'uninspected-sleeping': 'asleep',
  provisioning: 'running',
  starting: 'running',
  running: 'running',
  hung: 'running',
  stopping: 'stopped',
  'stopping-to-restart': 'restarting',
  'stopping-to-sleep': 'asleep',
};

/** Returns the state that follows. Throws `invalid_state` for an event that the table does not allow. */
export function nextState(state: State, event: Event): State {
  const row: Partial<Record<Event, State>> = TABLE[state];
  const next = row[event];
  if (next === undefined) throw refusal(state, event);
  return next;
}

export function isAllowed(state: State, event: Event): boolean {
  return event in TABLE[state];
}

export function phaseOf(state: State): Phase {
  return PHASE_OF[state];
}

export function intentOf(state: State): Intent {
  return INTENT_OF[state];
}

/** True while the game process exists. */
export function hasProcess(state: State): boolean {
  const phase = phaseOf(state);
  return phase === 'starting' || phase === 'running' || phase === 'stopping';
}

/** True if no process exists and none will without a new request. */
export function isAtRest(state: State): boolean {
  const phase = phaseOf(state);
  return (phase === 'stopped' && !isRestarting(state)) || (phase === 'crashed' && !isWaiting(state));
}

/** True if the server crashed and starts again after a delay. */
export function isWaiting(state: State): boolean {
  return state === 'waiting' || state === 'uninspected-waiting';
}

/** True if the old process of a restart has ended, as far as known, and the new one does not exist yet. */
function isRestarting(state: State): boolean {
  return state === 'restarting' || state === 'uninspected-restarting';
}

/** True until it is known whether the previous supervisor left a process. */
export function isUninspected(state: State): boolean {
  return isAllowed(state, 'inspected');
}

/** Returns the error for a request that is refused in this state. */
export function refusal(state: State, event: Event): GamekeeperError {
  const reason = REASONS[event];
  return new GamekeeperError(
    'invalid_state',
    reason === undefined
      ? `"${event}" cannot happen while the server is ${state}.`
      : `The server is ${phaseOf(state)}; ${reason}.`,
  );
}

const REASONS: Partial<Record<Event, string>> = {
  provision: 'only a server that is not running can be started',
  launch: 'only a server that is not running can be started',
  stop: 'there is nothing to stop',
};
