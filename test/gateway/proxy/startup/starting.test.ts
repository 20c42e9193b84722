/** Browsers, programs and daemons do not wait until a proxy that starts again is ready. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { freePort } from '../../../support/machine/free-port.ts';
import { startPostgres } from '../../../support/proxy/postgres.ts';
import { startProxy } from '../../../support/proxy/proxy-process.ts';

const STARTS = 3;
const ASK_EVERY_MS = 5;
/** Much longer than a start takes. */
const FORGOTTEN_AFTER_MS = 20_000;

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

t.test('a request that comes while it starts is refused or answered, never forgotten', async (t) => {
  // Unlike with the embedded database, its start takes many turns.
  const postgres = await startPostgres(t);
  if (!postgres) return;
  const DATABASE_URL = await postgres.database();
  const port = await freePort();
  const answers: Promise<number | string>[] = [];
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(FORGOTTEN_AFTER_MS) }).then(
      ({ status }) => status,
      ({ name }: Error) => name,
    );
  const asking = setInterval(() => answers.push(ask()), ASK_EVERY_MS);
  await startProxy(t, { DATABASE_URL, GAMEKEEPER_PROXY_PORT: String(port) });
  clearInterval(asking);
  const all = await Promise.all(answers);
  t.ok(all.includes('TypeError'), 'some came before it listened');
  t.notOk(all.includes('TimeoutError'), all.join(' '));
});
