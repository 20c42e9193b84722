import t from 'tap';
import type { Instance } from '../../../../../gateway/panel/src/api/transport/client.ts';
import { afterRestart, asRunning } from '../../../../../gateway/panel/src/pages/server/running-values.ts';

const DEMO: Instance = {
  ...{ id: 'demo', name: 'Demo', software: 'demo', version: '1.21', port: 25_570, status: 'running' },
  ...{ memoryMb: 4_096, maxPlayers: 20 },
};

t.test('a server is shown with what it runs with, beside what it gets after a restart', async (t) => {
  const instance: Instance = {
    ...DEMO,
    pendingRestart: [
      { setting: 'port', running: '25565', configured: '25570' },
      { setting: 'version', running: '1.20', configured: '1.21' },
      { setting: 'maxPlayers', running: '', configured: '30' },
      { setting: 'properties.port', running: '1', configured: '2' },
      { setting: 'env' },
    ],
  };
  const running = asRunning(instance);
  t.match(running, { port: 25_565, version: '1.20', memoryMb: 4_096, maxPlayers: 20 });
  t.equal(afterRestart(instance, 'port'), '25570');
  t.equal(afterRestart(instance, 'maxPlayers'), '30');
  t.equal(afterRestart(instance, 'memoryMb'), undefined);
});

t.test('without changes it is shown as it is', async (t) => {
  t.same(asRunning(DEMO), DEMO);
  t.equal(afterRestart(DEMO, 'port'), undefined);
});
