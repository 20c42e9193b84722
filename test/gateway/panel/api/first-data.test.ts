import { mock } from 'node:test';
import t, { type Test } from 'tap';

t.intercept(globalThis, 'window', { value: { location: { origin: 'http://panel.example' } }, configurable: true });
// Replaced before the API client is loaded: it keeps the `fetch` that it finds.
let answer: (path: string) => Promise<Response>;
t.intercept(globalThis, 'fetch', { value: ({ url }: Request) => answer(new URL(url).pathname), configurable: true });
const { firstData } = await import('../../../../gateway/panel/src/api/first-data.ts');
const { INSTANCES } = await import('../../../../gateway/panel/src/api/query-keys.ts');
const { queryClient: queries } = await import('../../../../gateway/panel/src/api/transport/query-client.ts');

const UNAUTHENTICATED = { status: 401, code: 'unauthenticated', title: '', detail: '', resolution: '' };
const SERVERS = [{ id: 'demo', name: 'Demo', status: 'stopped', phase: 'stopped' }];
const PAGES = ['/instances', '/jobs', '/software', '/health'];

/** Answers `/api/session` with `session`, and everything else with a list. Returns the paths that are asked for, in their order. */
function answering(t: Test, session: object, status = 200): string[] {
  queries.clear();
  t.teardown(() => queries.clear());
  const asked: string[] = [];
  answer = async (path) => {
    asked.push(path);
    return path === '/api/session' ? Response.json(session, { status }) : Response.json(SERVERS);
  };
  return asked;
}

t.test('an administrator gets all that the overview shows', async (t) => {
  const asked = answering(t, { username: 'admin', role: 'admin' });
  await firstData();
  t.same(asked, ['/api/session', ...PAGES, '/api/host']);
  t.match(queries.getQueryData(INSTANCES), SERVERS);
});

t.test('nobody asks for the computer who may not see it', async (t) => {
  for (const session of [{ role: 'operator' }, { role: 'admin', proxy: 'https://proxy.example' }]) {
    const asked = answering(t, { username: 'friend', ...session });
    await firstData();
    t.same(asked, ['/api/session', ...PAGES]);
  }
});

t.test('nothing is asked for before sign-in', async (t) => {
  const asked = answering(t, UNAUTHENTICATED, 401);
  await firstData();
  t.same(asked, ['/api/session']);
});

t.test('nor while the password must be changed', async (t) => {
  const asked = answering(t, { username: 'admin', role: 'admin', mustChangePassword: true });
  await firstData();
  t.same(asked, ['/api/session']);
});

t.test('without an answer the page is shown all the same', async (t) => {
  queries.clear();
  answer = () => new Promise(() => {});
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const shown = firstData();
  mock.timers.tick(2_000);
  t.equal(await shown, undefined);
});
