/** Imports and exports through the gateway. */
import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { ARCHIVE } from '../../../support/stand-ins/stand-in-jobs.ts';

const DIRECTORY = '/srv/survival';

t.test('a local administrator imports a folder or does a dry run', async (t) => {
  const { app, bearer } = await build(t);
  const headers = await bearer();
  for (const prefix of ['', '/api/v1']) {
    const url = `${prefix}/instances/import`;
    const looked = await app.inject({ method: 'POST', url, headers, payload: { directory: DIRECTORY, dryRun: true } });
    t.equal(looked.statusCode, 200, looked.body);
    t.match(looked.json(), { directory: DIRECTORY, software: { value: 'paper' }, missing: [{ field: 'version' }] });
    const made = await app.inject({ method: 'POST', url, headers, payload: { directory: DIRECTORY } });
    t.equal(made.statusCode, 201, made.body);
    t.equal(made.headers.location, `${prefix}/instances/demo`);
    t.match(made.json(), { id: 'demo', status: 'stopped', recognised: { directory: DIRECTORY } });
  }
});

t.test('nobody else does', async (t) => {
  const { app, bearer } = await build(t);
  const request = { method: 'POST', url: '/instances/import', payload: { directory: DIRECTORY } } as const;
  isProblem(t, await app.inject(request), 'unauthenticated', 'without credentials');
  for (const scope of ['servers:read', 'servers:write'] as const)
    isProblem(t, await app.inject({ ...request, headers: await bearer([scope]) }), 'insufficient_scope', scope);
});

t.test('an archive is imported before the answer, or as a job', async (t) => {
  const { app, bearer } = await build(t);
  const request = { method: 'POST', url: '/instances/import', payload: { archive: '/srv/survival.zip' } } as const;
  const headers = await bearer();
  const made = await app.inject({ ...request, headers });
  t.equal(made.statusCode, 201, made.body);
  t.match(made.json(), { id: 'demo', recognised: { software: { value: 'paper' } } });
  const looked = await app.inject({ ...request, headers, payload: { ...request.payload, dryRun: true } });
  t.equal(looked.statusCode, 200, looked.body);
  t.match(looked.json(), { directory: request.payload.archive, missing: [{ field: 'version' }] });
  const begun = await app.inject({ ...request, headers: { ...headers, prefer: 'respond-async' } });
  t.equal(begun.statusCode, 202);
  t.match(begun.json(), { kind: 'import' });
});

t.test('an interrupted export breaks the download, and one that cannot begin is an ErrorResponse', async (t) => {
  const world = await build(t);
  const request = { url: '/instances/demo/export', headers: await world.bearer() };
  const whole = await world.app.inject(request);
  t.same(whole.rawPayload, ARCHIVE);
  world.jobs.failure = new GamekeeperError('backup_in_progress', 'It is being backed up.');
  isProblem(t, await world.app.inject(request), 'backup_in_progress', 'before the first byte');
  world.jobs.sendsBeforeFailure = true;
  await t.rejects(world.app.inject(request), 'the response is cut off');
});
