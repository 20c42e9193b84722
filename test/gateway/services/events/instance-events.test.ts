import t from 'tap';
import { eventsOf } from '../../../../gateway/services/events/instance-events.ts';
import type { InstanceRuntime } from '../../../../shared/domain/instance/runtime.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

const record = (runtime: Partial<InstanceRuntime> = {}) => ({
  config: instanceConfig(),
  runtime: { phase: 'running' as const, ...runtime },
  socket: null,
});

t.test('what waits for a restart is reported when it changes', async (t) => {
  const pendingRestart = [{ setting: 'port', running: '1', configured: '2' }];
  const none = record();
  const changed = record({ pendingRestart });
  const waiting = record({ pendingRestart, restartWhenEmpty: true });
  const events = (before: typeof none, after: typeof none) => eventsOf({ id: 'test', before, after });
  const state = { instanceId: 'test', status: 'running', phase: 'running' };
  t.same(events(none, changed), [{ type: 'instance.phase', data: { ...state, pendingRestart } }]);
  t.same(events(changed, record({ pendingRestart: [...pendingRestart] })), []);
  t.same(events(changed, waiting), [
    { type: 'instance.phase', data: { ...state, pendingRestart, restartWhenEmpty: true } },
  ]);
  t.same(events(waiting, none), [{ type: 'instance.phase', data: state }]);
});
