import t from 'tap';
import { setCustomSoftware, softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import type { Variable } from '../../../../shared/domain/software/variable.ts';
import { build } from '../../../support/processes/gateway-app.ts';

const VARIABLES: Variable[] = [
  { name: 'map', type: 'text', rule: { pattern: '[a-z_]+' }, default: 'dust', editableBy: 'operator' },
  { name: 'slots', type: 'number', default: '16', editableBy: 'admin' },
  { name: 'pw', type: 'text', default: 'initial secret', editableBy: 'operator', secret: true },
];

t.test('operators set the variables that are theirs, and nobody is shown a secret', async (t) => {
  const { app, addUser, bearer, daemon } = await build(t);
  setCustomSoftware([{ ...softwareOf('demo')!, kind: 'mine', variables: VARIABLES }]);
  t.teardown(() => setCustomSoftware([]));
  await addUser('boss', 'admin');
  await addUser('op', 'operator');
  await addUser('eve', 'viewer');
  const created = await daemon.createInstance({ name: 'Mine', software: 'mine' } as never);
  const url = `/instances/${created.id}/variables`;
  const change = async (by: string, variables: object) =>
    app.inject({ method: 'PATCH', url, headers: await bearer(undefined, by), payload: { variables } });

  t.match((await change('eve', { map: 'aztec' })).json(), { code: 'insufficient_scope' });
  t.match((await change('op', { map: 'aztec', slots: 32 })).json(), {
    ...{ code: 'insufficient_scope', detail: 'Only administrators may set slots.' },
  });
  t.match((await change('op', { map: 'Az tec' })).json(), {
    code: 'invalid_request',
    detail: /^variables\.map: must match/,
  });
  const set = await change('op', { map: 'aztec', pw: 'another secret' });
  t.equal(set.statusCode, 200, set.body);
  t.match((await change('boss', { slots: 32 })).json(), [
    { name: 'map', value: 'aztec' },
    { name: 'slots', value: '32' },
    {},
  ]);

  const { body } = await app.inject({ url, headers: await bearer(undefined, 'eve') });
  t.match(JSON.parse(body), [
    { name: 'map', title: 'map', value: 'aztec', default: 'dust', isSet: true, rule: { pattern: '[a-z_]+' } },
    { name: 'slots', value: '32', isSet: true },
    { name: 'pw', isSet: true, secret: true },
  ]);
  t.notMatch(body, /initial secret|another secret/);
  t.match((await change('op', { map: null })).json(), [{ name: 'map', value: 'dust', isSet: false }]);
});

t.test('operators do not set a variable that a shell could run as a command', async (t) => {
  const { app, addUser, bearer, daemon } = await build(t);
  const env = { X: '{pw}', MAP: '{map}' };
  const launch = {
    type: 'system',
    program: ['bash'],
    args: ['-c', '[[ $X -eq 1 ]]'],
    env,
    missing: 'Install bash.',
  } as const;
  setCustomSoftware([{ ...softwareOf('demo')!, kind: 'mine', variables: VARIABLES, launch }]);
  t.teardown(() => setCustomSoftware([]));
  await addUser('op', 'operator');
  const { id } = await daemon.createInstance({ name: 'Mine', software: 'mine' } as never);
  const url = `/instances/${id}/variables`;
  const headers = await bearer(undefined, 'op');
  const change = (variables: object) => app.inject({ method: 'PATCH', url, headers, payload: { variables } });
  t.match((await change({ pw: 'a[$(id)]' })).json(), { detail: 'Only administrators may set pw.' });
  t.match((await change({ map: 'aztec' })).json(), [{ name: 'map', value: 'aztec' }, {}, { editableBy: 'admin' }]);
});
