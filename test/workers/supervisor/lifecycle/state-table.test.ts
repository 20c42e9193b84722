import t from 'tap';
import { isLive } from '../../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import {
  type Event,
  hasProcess,
  isAllowed,
  nextState,
  phaseOf,
  type State,
} from '../../../../workers/supervisor/lifecycle/state-table.ts';

const STATES: State[] = ['stopped', 'provisioning', 'starting', 'running', 'stopping', 'waiting', 'crashed'];
const EVENTS: Event[] = ['provision', 'launch', 'ready', 'stop', 'ended', 'crashed', 'gave-up', 'failed'];

t.test('an ordinary life goes once around', async (t) => {
  const life: Event[] = ['provision', 'launch', 'ready', 'stop', 'stop', 'ended'];
  const seen: State[] = [];
  life.reduce<State>((state, event) => {
    const next = nextState(state, event);
    seen.push(next);
    return next;
  }, 'stopped');
  t.strictSame(seen, ['provisioning', 'starting', 'running', 'stopping', 'stopping', 'stopped']);
});

t.test('stop wins over everything that leads to a running server', async (t) => {
  t.equal(nextState('provisioning', 'stop'), 'stopped');
  t.equal(nextState('starting', 'stop'), 'stopping');
  t.equal(nextState('running', 'stop'), 'stopping');
  t.equal(nextState('waiting', 'stop'), 'stopped');
});

t.test('an event that the table does not allow is an error, and says what state it is', async (t) => {
  for (const state of STATES) {
    for (const event of EVENTS) {
      if (isAllowed(state, event)) t.ok(STATES.includes(nextState(state, event)));
      else t.throws(() => nextState(state, event), { code: 'invalid_state', message: new RegExp(state) });
    }
  }
  t.throws(
    () => nextState('running', 'launch'),
    new GamekeeperError('invalid_state', 'The server is running; only a server that is not running can be started.'),
  );
});

t.test('every state is reached from stopped, and every state leads back to it', async (t) => {
  const after = (state: State) =>
    EVENTS.filter((event) => isAllowed(state, event)).map((event) => nextState(state, event));
  const reached = (start: State) => {
    const found = new Set<State>([start]);
    for (const state of found) for (const next of after(state)) found.add(next);
    return found;
  };
  t.strictSame([...reached('stopped')].sort(), [...STATES].sort());
  for (const state of STATES) t.ok(reached(state).has('stopped'), state);
});

t.test('phases that count as live are those in which a process exists or is being made', async (t) => {
  for (const state of STATES) t.equal(isLive(phaseOf(state)), hasProcess(state) || state === 'provisioning', state);
});
