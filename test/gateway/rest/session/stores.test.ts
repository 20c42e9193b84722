import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';

t.test('an administrator tests a store', async (t) => {
  const { app, jobs, cookie } = await build(t);
  const headers = await cookie();
  const test = (name: string) => app.inject({ method: 'POST', url: `/api/stores/${name}/test`, headers });
  const works = await test('nas');
  t.equal(works.statusCode, 200);
  t.same(works.json(), {
    success: true,
    message: 'The store "nas" works: an object was written, read back and removed.',
  });
  isProblem(t, await test('none'), 'store_not_found');
  jobs.failure = new GamekeeperError('store_refused', 'The store "nas" did not accept the access key.');
  isProblem(t, await test('nas'), 'store_refused');
  jobs.failure = new GamekeeperError('store_unavailable', 'The store "nas" does not answer.');
  isProblem(t, await test('nas'), 'store_unavailable');
});

t.test('nobody else does', async (t) => {
  const { app, addUser, cookie } = await build(t);
  await addUser('op', 'operator');
  const url = '/api/stores/nas/test';
  isProblem(t, await app.inject({ method: 'POST', url }), 'unauthenticated');
  const refused = await app.inject({ method: 'POST', url, headers: await cookie('op') });
  isProblem(t, refused, 'insufficient_scope');
});
