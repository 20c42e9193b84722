import t from 'tap';
import { runtimeEvents } from '../../../daemon/usage/runtime-events.ts';
import type { InstanceRuntime } from '../../../shared/domain/instance/runtime.ts';

const NOW = Date.parse('2026-11-20T09:00:00.000Z');
const STARTED = NOW - 60_000;
const CRASH = { at: '2026-11-20T08:59:58.000Z', exitCode: 1, signal: null, reason: 'exit code 1', restarts: 0 };
const CRASHED_AT = NOW - 2_000;
const STARTING: InstanceRuntime = { phase: 'starting', startedAt: STARTED };
const RUNNING: InstanceRuntime = { phase: 'running', startedAt: STARTED };
const STOPPING: InstanceRuntime = { phase: 'stopping', startedAt: STARTED };
const LEFTOVERS: Partial<InstanceRuntime> = { degraded: 'leftovers', leftovers: [{ pid: 7, command: 'helper' }] };
const STOPPED: InstanceRuntime = { phase: 'stopped' };
const CRASHED: InstanceRuntime = { phase: 'crashed', crash: CRASH };

const events = (before: InstanceRuntime | undefined, after: InstanceRuntime) => runtimeEvents(before, after, NOW);

t.test('starts and ends of a server are events', (t) => {
  t.same(events({ phase: 'provisioning' }, STARTING), [{ at: STARTED, kind: 'start' }]);
  t.same(events(STOPPING, STOPPED), [{ at: NOW, kind: 'stop' }]);
  t.same(events({ ...RUNNING, crash: CRASH }, { ...STOPPED, crash: CRASH }), [{ at: NOW, kind: 'stop' }]);
  t.same(events(RUNNING, { phase: 'sleeping' }), [{ at: NOW, kind: 'sleep' }]);
  t.same(events(RUNNING, CRASHED), [{ at: CRASHED_AT, kind: 'crash' }]);
  t.end();
});

t.test('other changes are none', (t) => {
  t.same(events(STARTING, RUNNING), []);
  t.same(events(RUNNING, { ...RUNNING, cpuPercent: 3 }), [], 'new stats');
  t.same(events(STOPPED, { phase: 'provisioning' }), []);
  t.same(events(RUNNING, STOPPING), []);
  t.same(events(CRASHED, { ...STOPPED, crash: CRASH }), [], 'no restart any more');
  const failed = { ...CRASH, failedStart: { code: 'port_in_use' } };
  t.same(events({ phase: 'provisioning' }, { phase: 'crashed', crash: failed }), [], 'a start that failed');
  t.same(events({ phase: 'provisioning' }, STOPPED), [], 'a start that was cancelled');
  t.same(events({ phase: 'sleeping' }, STOPPED), []);
  t.same(events(undefined, STOPPED), [], 'a new server');
  t.end();
});

t.test('a server has stopped when its game process has ended, although leftovers still run', (t) => {
  t.same(events(STOPPING, { phase: 'stopping', ...LEFTOVERS }), [{ at: NOW, kind: 'stop' }]);
  t.same(events({ phase: 'stopping', ...LEFTOVERS }, STOPPED), []);
  t.same(events(RUNNING, { phase: 'stopping', ...LEFTOVERS, crash: CRASH }), [{ at: CRASHED_AT, kind: 'crash' }]);
  t.end();
});

t.test('a process that ended without a request is judged first', (t) => {
  const judged: InstanceRuntime = { phase: 'running', ...LEFTOVERS };
  t.same(events(RUNNING, judged), []);
  t.same(events(judged, CRASHED), [{ at: CRASHED_AT, kind: 'crash' }]);
  t.same(events({ ...judged, crash: CRASH }, CRASHED), [], 'the crash was known before');
  t.same(events(judged, STOPPED), [{ at: NOW, kind: 'stop' }], 'an operator typed the stop command');
  t.end();
});

t.test('a restart that fails leaves a stopped server', (t) => {
  const failed = { ...CRASH, failedStart: { code: 'port_in_use' } };
  t.same(events(STOPPING, { phase: 'crashed', crash: failed }), [{ at: NOW, kind: 'stop' }]);
  t.end();
});

t.test('a crash and the start after it may be observed at once', (t) => {
  const again = { phase: 'running', startedAt: NOW, crash: CRASH } as const;
  t.same(events(RUNNING, again), [
    { at: CRASHED_AT, kind: 'crash' },
    { at: NOW, kind: 'start' },
  ]);
  t.end();
});

t.test('a daemon that finds a server running or crashed returns the event of the one before it', (t) => {
  t.same(events(STOPPED, RUNNING), [{ at: STARTED, kind: 'start' }]);
  t.same(events(undefined, CRASHED), [{ at: CRASHED_AT, kind: 'crash' }]);
  t.end();
});
