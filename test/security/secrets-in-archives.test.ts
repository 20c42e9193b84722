/**
 * A backup archive holds the server's secrets, which properties mask: only administrators may download one, like an export. Neither an
 * operator nor a leaked token for backups gets it, by any path or method.
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

t.test('an operator, who may create and restore backups, cannot download one', async (t) => {
  const operator = await signedInUser(gamekeeper, { username: 'ann', role: 'operator' });
  t.equal((await operator.api('GET', BACKUP)).status, 200);
  for (const content of CONTENT)
    for (const method of ['GET', 'HEAD'])
      t.equal((await operator.api(method, `${BACKUP}/${content}`)).status, 403, `${method} ${content}`);
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
