import t from 'tap';
import { roleOn } from '../../../../gateway/panel/src/api/roles.ts';
import { Problem } from '../../../../gateway/panel/src/api/transport/problem.ts';

t.intercept(globalThis, 'window', { value: { location: { origin: 'http://panel.example' } }, configurable: true });
const { noticeSignOut } = await import('../../../../gateway/panel/src/api/session.ts');
const { queryClient: queries } = await import('../../../../gateway/panel/src/api/transport/query-client.ts');
t.teardown(() => queries.clear());

const SESSION = ['session'];
const problem = (status: number, code: string) => new Problem({ status, code, title: '', detail: '', resolution: '' });

t.test('a 401 ends the session, and keeps who was signed in', (t) => {
  queries.setQueryData(SESSION, { username: 'admin', role: 'admin' });
  noticeSignOut(queries, problem(401, 'unauthenticated'));
  t.same(queries.getQueryData(SESSION), { username: 'admin', role: 'admin', ended: true });
  t.end();
});

t.test('without a session there is none to end', (t) => {
  queries.setQueryData(SESSION, null);
  noticeSignOut(queries, problem(401, 'unauthenticated'));
  t.equal(queries.getQueryData(SESSION), null);
  t.end();
});

t.test('other errors do not end it, not even a wrong password', (t) => {
  queries.setQueryData(SESSION, { username: 'admin' });
  for (const error of [problem(401, 'invalid_credentials'), problem(403, 'forbidden'), new Error('401')])
    noticeSignOut(queries, error);
  t.same(queries.getQueryData(SESSION), { username: 'admin' });
  t.end();
});

t.test('a failed request of any page ends the session', async (t) => {
  queries.setQueryData(SESSION, { username: 'admin' });
  const queryFn = () => Promise.reject(problem(401, 'unauthenticated'));
  await t.rejects(queries.fetchQuery({ queryKey: ['settings'], queryFn }));
  t.match(queries.getQueryData(SESSION), { ended: true });
});

t.test('a user has their own role on a server, unless a grant names another', (t) => {
  const instances = ['*', { id: 'demo', role: 'operator' as const }];
  t.equal(roleOn({ role: 'viewer', instances }, 'demo'), 'operator');
  t.equal(roleOn({ role: 'viewer', instances }, 'other'), 'viewer');
  t.equal(roleOn({ role: 'operator', instances: ['demo'] }, 'demo'), 'operator');
  t.end();
});

t.test('a grant can lower a role, but not that of an administrator', (t) => {
  const instances = [{ id: 'demo', role: 'viewer' as const }];
  t.equal(roleOn({ role: 'operator', instances }, 'demo'), 'viewer');
  t.equal(roleOn({ role: 'admin', instances }, 'demo'), 'admin');
  t.end();
});

t.test('without grants the role is the same everywhere', (t) => {
  t.equal(roleOn({ role: 'viewer' }, 'demo'), 'viewer');
  t.end();
});
