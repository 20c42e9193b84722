/**
 * A backup archive holds the server's secrets, which properties mask: only who may write the server's files may download one. Neither
 * another operator, also with files to read, nor a leaked token for backups gets it, by any path or method.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { signedInAdmin, signedInUser } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
const folder = path.join(gamekeeper.home, 'instances/demo');
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'server.properties'), 'rcon.password=the-secret-of-the-owner\n');
const { body } = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup', {
  cloudReplicate: false,
});
const BACKUP = `/instances/demo/backups/${body.backupId}`;
/** What shows the content of a backup, as a whole or in part. */
const CONTENT = ['archive', 'files', 'files?path=logs', 'files/content?path=server.properties', 'files/compare'];
const { panel, remote } = gamekeeper.addresses();

const operatorWith = (username: string, files?: 'read' | 'write') =>
  signedInUser(gamekeeper, {
    username,
    role: 'operator',
    instances: [{ id: 'demo', role: 'operator', ...(files && { files }) }],
  });

t.test('an operator, who may create and restore backups, cannot download one', async (t) => {
  for (const operator of [await operatorWith('ann'), await operatorWith('rita', 'read')]) {
    t.equal((await operator.api('GET', BACKUP)).status, 200);
    for (const content of CONTENT)
      for (const method of ['GET', 'HEAD'])
        t.equal((await operator.api(method, `${BACKUP}/${content}`)).status, 403, `${method} ${content}`);
  }
});

t.test('an operator who may write the files can, on this server only', async (t) => {
  const operator = await operatorWith('will', 'write');
  for (const content of ['archive', 'files', 'files/content?path=server.properties'])
    t.equal((await fetch(`${panel}${BACKUP}/${content}`, { headers: operator.headers })).status, 200, content);
  t.equal((await operator.api('GET', `/instances/other/backups/${body.backupId}/archive`)).status, 404);
});

t.test('a token with backups:create cannot download one, although an administrator created it', async (t) => {
  const headers = { authorization: `Bearer ${await gamekeeper.token({ scopes: ['backups:create'] })}` };
  for (const address of [`${panel}${BACKUP}`, `${remote}/api/v1${BACKUP}`]) {
    t.equal((await fetch(address, { headers })).status, 200, address);
    for (const content of CONTENT)
      t.equal((await fetch(`${address}/${content}`, { headers })).status, 403, `${address}/${content}`);
  }
});

t.test('an administrator can', async (t) => {
  const admin = await signedInAdmin(gamekeeper);
  const archive = await fetch(`${panel}${BACKUP}/archive`, { headers: admin.headers });
  t.equal(archive.status, 200);
  t.equal(
    Buffer.from(await archive.arrayBuffer())
      .subarray(0, 2)
      .toString(),
    'PK',
  );
  const content = await fetch(`${panel}${BACKUP}/files/content?path=server.properties`, { headers: admin.headers });
  t.equal(content.status, 200);
  t.match(await content.text(), /^rcon\.password=the-secret/m);
});
