/**
 * Only the owner of the machine decides what runs on it, where, and with which environment (CVE-2021-34539 of AMP: the path of Java was a
 * setting that was not checked): launch commands, Java, folders, variables, in every operation that takes such a value.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { SCOPES } from '../../shared/domain/access/scope.ts';
import { signedInUser } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
const trace = path.join(temporaryFolder(t), 'ran');
const command = ['/bin/sh', '-c', `touch ${trace}`];
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
await gamekeeper.api('POST', '/instances', {
  name: 'Own',
  software: 'custom',
  launch: { command: ['/bin/sleep', '60'] },
});
const limited = { authorization: `Bearer ${await gamekeeper.token({ scopes: [...SCOPES] })}` };
const operator = await signedInUser(gamekeeper, { username: 'operator', role: 'operator' });

/** Fields that only a local administrator may set. */
const OWNER_FIELDS = [
  { launch: { command } },
  { directory: path.dirname(trace) },
  { env: { LD_PRELOAD: '/tmp/evil.so' } },
  { env: { JAVA_TOOL_OPTIONS: '-javaagent:/tmp/evil.jar' } },
  { env: { PATH: path.dirname(trace) } },
  { env: {} },
];

t.test('a token with all scopes cannot set them', async (t) => {
  for (const fields of OWNER_FIELDS) {
    const created = await gamekeeper.api('POST', '/instances', { name: 'X', software: 'custom', ...fields }, limited);
    t.match(created, { status: 403, body: { code: 'insufficient_scope' } }, JSON.stringify(fields));
    if ('directory' in fields) continue;
    for (const id of ['demo', 'own'])
      t.equal((await gamekeeper.api('PATCH', `/instances/${id}`, fields, limited)).status, 403, JSON.stringify(fields));
  }
  for (const method of ['POST', 'PATCH'])
    t.equal(
      (await operator.api(method, method === 'POST' ? '/instances' : '/instances/own', OWNER_FIELDS[0])).status,
      403,
    );
});

t.test('no other field selects a Java, a program or an option', async (t) => {
  const bodies: object[] = [
    { javaVersion: '/bin/sh' },
    { javaVersion: '../../bin/sh' },
    { javaVersion: 17 },
    { javaPath: '/bin/sh' },
    { java: '/bin/sh' },
    { jvmArguments: ['-XX:OnError=touch /tmp/x'] },
    { memoryMb: '2048 -javaagent:/tmp/x.jar' },
    { memoryMb: 1e12 },
    { memoryMb: 512.5 },
    { LAUNCH: { command } },
    { launch: { command, program: '/bin/sh' } },
    { launch: command.join(' ') },
    { env: { 'A=B': 'x' } },
    { env: { 'A B': 'x' } },
    { env: { '': 'x' } },
    { constructor: { launch: { command } } },
  ];
  for (const body of bodies) {
    const json = JSON.stringify(body);
    const created = await gamekeeper.api('POST', '/instances', { name: 'X', software: 'demo', ...body });
    t.equal(created.status, 400, `create ${json}`);
    t.equal((await gamekeeper.api('PATCH', '/instances/demo', body)).status, 400, `change ${json}`);
  }
});

t.test('a command is a list of arguments that no shell interprets', async (t) => {
  const body = {
    launch: {
      command: ['/bin/echo', `; touch ${trace}`, `$(touch ${trace})`, `\`touch ${trace}\``, `| touch ${trace}`],
    },
    crashPolicy: { restart: 'never' },
  };
  t.equal((await gamekeeper.api('PATCH', '/instances/own', body)).status, 200);
  await gamekeeper.api('POST', '/instances/own/start');
  const printed = async () => JSON.stringify((await gamekeeper.api('GET', '/instances/own/logs')).body);
  await until('the arguments are printed unchanged', async () => (await printed()).includes('| touch'), {
    describe: printed,
  });
  await gamekeeper.waitForStatus('own', 'stopped');
  t.notOk(existsSync(trace));
});

t.test('versions and names are not interpreted', async (t) => {
  for (const word of [`; touch ${trace}`, `$(touch ${trace})`, '-jar', '--version']) {
    const created = await gamekeeper.api<{ id: string }>('POST', '/instances', {
      name: word,
      software: 'demo',
      port: await freePort(),
      version: word,
    });
    if (created.status !== 201) continue;
    await gamekeeper.api('POST', `/instances/${created.body.id}/start`);
    await gamekeeper.waitForStatus(created.body.id, 'running');
    await gamekeeper.api('POST', `/instances/${created.body.id}/kill`);
  }
  t.notOk(existsSync(trace));
});
