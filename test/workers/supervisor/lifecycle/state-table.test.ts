import t from 'tap';
import { isLive, PHASES } from '../../../../shared/domain/instance/phase.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import {
  type Event,
  hasProcess,
  intentOf,
  isAllowed,
  isAtRest,
  isUninspected,
  isWaiting,
  nextState,
  phaseOf,
  type State,
} from '../../../../workers/supervisor/lifecycle/state-table.ts';

/** Every event that is possible in each state, and where it leads. */
const EXPECTED: Record<State, Partial<Record<Event, State>>> = {
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
  starting: { ...whileUp(), ready: 'running' },
  running: { ...whileUp(), hung: 'hung', sleep: 'stopping-to-sleep', ended: 'stopped' },
  hung: { ...whileUp(), sleep: 'stopping-to-sleep' },
  stopping: { stop: 'stopping', restart: 'stopping-to-restart', ended: 'stopped' },
  'stopping-to-restart': { stop: 'stopping', restart: 'stopping-to-restart', ended: 'restarting' },
  'stopping-to-sleep': { stop: 'stopping', restart: 'stopping-to-restart', ended: 'sleeping' },
};

function whileUp(): Partial<Record<Event, State>> {
  return { stop: 'stopping', restart: 'stopping-to-restart', crashed: 'waiting', 'gave-up': 'crashed' };
}

const STATES = Object.keys(EXPECTED) as State[];
const EVENTS: Event[] = [
  ...(['stop', 'restart', 'sleep'] as const),
  ...(['provision', 'launch', 'ready', 'failed'] as const),
  ...(['hung', 'ended', 'crashed', 'gave-up'] as const),
  ...(['inspected', 'recovered'] as const),
];

/** Follows the events from `start`; returns the states in between. */
function follow(start: State, events: readonly Event[]): State[] {
  const seen: State[] = [];
  let state = start;
  for (const event of events) {
    state = nextState(state, event);
    seen.push(state);
  }
  return seen;
}

t.test('every event follows the table, or is refused with the state in the message', async (t) => {
  for (const state of STATES) {
    for (const event of EVENTS) {
      const next = EXPECTED[state][event];
      t.equal(isAllowed(state, event), next !== undefined, `${state}, ${event}`);
      if (next !== undefined) {
        t.equal(nextState(state, event), next, `${state}, ${event}`);
        continue;
      }
      const shown = ['provision', 'launch', 'stop'].includes(event) ? phaseOf(state) : state;
      t.throws(
        () => nextState(state, event),
        { code: 'invalid_state', message: new RegExp(`\\b${shown}\\b`) },
        `${state}, ${event}`,
      );
    }
  }
  t.throws(
    () => nextState('running', 'launch'),
    new GamekeeperError('invalid_state', 'The server is running; only a server that is not running can be started.'),
  );
});

t.test('an ordinary life ends where it began', async (t) => {
  t.strictSame(follow('uninspected', ['inspected', 'provision', 'launch', 'ready', 'stop', 'stop', 'ended']), [
    'stopped',
    'provisioning',
    'starting',
    'running',
    'stopping',
    'stopping',
    'stopped',
  ]);
});

t.test('the latest of stop and restart decides what follows a stop', async (t) => {
  t.equal(follow('running', ['restart', 'ended']).at(-1), 'restarting');
  t.equal(follow('running', ['restart', 'stop', 'ended']).at(-1), 'stopped');
  t.equal(follow('running', ['stop', 'restart', 'ended', 'launch']).at(-1), 'starting');
  t.equal(follow('running', ['sleep', 'ended']).at(-1), 'sleeping');
  t.equal(follow('running', ['sleep', 'stop', 'ended']).at(-1), 'stopped');
  t.equal(follow('running', ['sleep', 'restart', 'ended']).at(-1), 'restarting');
});

t.test('a stop wins over everything that leads to a running server', async (t) => {
  for (const state of ['provisioning', 'waiting', 'sleeping'] as const) t.equal(nextState(state, 'stop'), 'stopped');
  for (const state of ['starting', 'running', 'hung', 'stopping-to-restart', 'stopping-to-sleep'] as const)
    t.equal(nextState(state, 'stop'), 'stopping');
  for (const state of ['uninspected-waiting', 'uninspected-restarting', 'uninspected-sleeping'] as const) {
    t.equal(nextState(state, 'stop'), 'uninspected-stopping');
    t.equal(follow(state, ['stop', 'recovered']).at(-1), 'stopping', 'a process that is found later is stopped');
  }
});

t.test('nothing can be started until the leftovers of the previous supervisor were inspected', async (t) => {
  for (const state of STATES.filter(isUninspected)) {
    t.notOk(isAllowed(state, 'provision') || isAllowed(state, 'launch'), state);
    t.equal(phaseOf(nextState(state, 'inspected')), phaseOf(state), `${state}: the inspection is not visible`);
    t.equal(isAtRest(nextState(state, 'inspected')), isAtRest(state), `${state}: the inspection is not visible`);
    t.equal(intentOf(nextState(state, 'inspected')), intentOf(state), `${state}: the intent stays`);
  }
  t.equal(STATES.filter(isUninspected).length, 6);
});

t.test('a process that is recovered gets what the previous supervisor was doing', async (t) => {
  for (const state of ['uninspected-stopping', 'uninspected-restarting', 'uninspected-sleeping'] as const)
    t.equal(intentOf(nextState(state, 'recovered')), intentOf(state));
  for (const state of ['uninspected', 'uninspected-crashed', 'uninspected-waiting'] as const)
    t.equal(intentOf(nextState(state, 'recovered')), 'running');
});

t.test('the latest request decides what the next supervisor should do', async (t) => {
  const intents = (...events: Event[]) => follow('running', events).map(intentOf);
  t.same(intents('restart', 'ended', 'launch'), ['restarting', 'restarting', 'running']);
  t.same(intents('restart', 'stop', 'ended'), ['restarting', 'stopped', 'stopped']);
  t.same(intents('sleep', 'ended', 'launch'), ['asleep', 'asleep', 'running']);
  t.same(intents('crashed', 'stop'), ['running', 'stopped']);
  t.same(intents('gave-up'), ['stopped']);
});

t.test('every state is reached from the first ones, and every state leads to stopped', async (t) => {
  const reached = (...starts: State[]) => {
    const found = new Set<State>(starts);
    for (const state of found) for (const next of Object.values(EXPECTED[state])) found.add(next);
    return found;
  };
  const first = STATES.filter(isUninspected);
  t.strictSame([...reached(...first)].sort(), [...STATES].sort());
  for (const state of STATES) t.ok(reached(state).has('stopped'), state);
});

t.test('each phase is the phase of at least one state', async (t) => {
  t.strictSame([...new Set(STATES.map(phaseOf))].sort(), [...PHASES].sort());
});

t.test('a phase counts as live if a process exists or is being prepared', async (t) => {
  for (const state of STATES) t.equal(isLive(phaseOf(state)), hasProcess(state) || state === 'provisioning', state);
});

t.test('a server is at rest if nothing happens without a request', async (t) => {
  t.strictSame(STATES.filter(isAtRest), [
    'stopped',
    'crashed',
    'uninspected',
    'uninspected-crashed',
    'uninspected-stopping',
  ]);
  t.strictSame(STATES.filter(isWaiting), ['waiting', 'uninspected-waiting']);
});
