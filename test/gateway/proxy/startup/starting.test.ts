/** Browsers, programs and daemons do not wait until a proxy that starts again is ready. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { freePort } from '../../../support/machine/free-port.ts';
import { startProxy } from '../../../support/proxy/proxy-process.ts';

const STARTS = 3;

t.test('requests that come while the proxy starts are answered, and do not end it', async (t) => {
  const port = await freePort();
  const statuses = new Set<number>();
  let isOver = false;
  t.teardown(() => {
    isOver = true;
  });
  const asking = Promise.all(
    ['/', '/readyz', '/d/00000000-0000-4000-8000-000000000000/instances'].map(async (path) => {
      while (!isOver) {
        // Nobody listens before it starts and after it has ended.
        await fetch(`http://127.0.0.1:${port}${path}`)
          .then(({ status }) => statuses.add(status))
          .catch(() => undefined);
        await delay(1);
      }
    }),
  );
  const proxy = await startProxy(t, { GAMEKEEPER_PROXY_PORT: String(port) });
  for (let start = 1; start < STARTS; start++) {
    await proxy.end('SIGKILL');
    await proxy.start();
  }
  isOver = true;
  await asking;
  t.doesNotThrow(() => process.kill(proxy.pid, 0));
  t.notMatch(proxy.output(), /Error/);
  t.notOk(statuses.has(500));
});
