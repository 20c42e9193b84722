import { mock } from 'node:test';
import t from 'tap';
import { Problem } from '../../../../../gateway/panel/src/api/transport/problem.ts';

t.intercept(globalThis, 'window', { value: { location: { origin: 'http://panel.example' } }, configurable: true });
const { queryClient } = await import('../../../../../gateway/panel/src/api/transport/query-client.ts');
t.teardown(() => queryClient.clear());

const { retry } = queryClient.getDefaultOptions().queries ?? {};
const problem = (status: number) => new Problem({ status, code: 'x', title: '', detail: '', resolution: '' });
const retries = (failures: number, error: Error) => typeof retry === 'function' && retry(failures, error);

t.test('a daemon that does not answer is asked up to three more times', (t) => {
  for (const status of [0, 502, 503, 504]) {
    for (const failures of [0, 1, 2]) t.ok(retries(failures, problem(status)), `${status}, ${failures}`);
    t.notOk(retries(3, problem(status)), `${status}, 3`);
  }
  t.end();
});

t.test('a refused request is not repeated', (t) => {
  for (const status of [400, 401, 404, 412, 500]) t.notOk(retries(0, problem(status)), String(status));
  t.notOk(retries(0, new Error('oops')));
  t.end();
});

t.test('data stays fresh for 30 s', async (t) => {
  mock.timers.enable({ apis: ['Date'] });
  t.teardown(() => mock.timers.reset());
  let asked = 0;
  const query = { queryKey: ['settings'], queryFn: () => Promise.resolve(++asked) };
  t.equal(await queryClient.fetchQuery(query), 1);
  mock.timers.tick(29_999);
  t.equal(await queryClient.fetchQuery(query), 1);
  mock.timers.tick(1);
  t.equal(await queryClient.fetchQuery(query), 2);
});
