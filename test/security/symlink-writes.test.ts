/**
 * Gamekeeper does not write through links in a server's folder, which a plugin or an archive may have created (CVE-2023-25152 of Wings: files
 * were created on the host through a link; Wings of Pelican, issue 185: chmod followed a link).
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t);
const outside = temporaryFolder(t);
const victim = path.join(outside, 'victim');
const folder = path.join(gamekeeper.home, 'instances/demo');
const properties = path.join(folder, 'server.properties');
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });

t.beforeEach(() => {
  rmSync(properties, { force: true });
  writeFileSync(victim, 'secret=of somebody else\n');
  chmodSync(victim, 0o600);
});

function isUntouched(t: Test): void {
  t.equal(readFileSync(victim, 'utf8'), 'secret=of somebody else\n');
  t.equal(statSync(victim).mode & 0o777, 0o600);
}

t.test('a properties file that is a link to another folder is neither read nor written', async (t) => {
  for (const target of [victim, path.relative(folder, victim)]) {
    symlinkSync(target, properties);
    for (const [method, body] of [['GET'], ['PUT', { properties: { motd: 'mine' } }]] as const) {
      const answer = await gamekeeper.api(method, '/instances/demo/properties', body);
      t.match(answer, { status: 409, body: { code: 'invalid_state', detail: /a link that leads out/ } }, method);
      t.notMatch(JSON.stringify(answer.body), outside, 'the response does not contain the target');
    }
    const start = await gamekeeper.api('POST', '/instances/demo/start');
    if (start.status === 200) await gamekeeper.waitForStatus('demo', 'stopped');
    isUntouched(t);
    rmSync(properties);
  }
});

t.test('a folder that is a link is not followed', async (t) => {
  symlinkSync(outside, path.join(folder, 'config'));
  symlinkSync('config/victim', properties);
  t.match(await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { motd: 'x' } }), { status: 409 });
  isUntouched(t);
  rmSync(path.join(folder, 'config'));
});

t.test('a link to a missing file is replaced, not followed', async (t) => {
  symlinkSync(path.join(outside, 'new'), properties);
  t.match(await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { motd: 'x' } }), { status: 200 });
  t.notOk(existsSync(path.join(outside, 'new')));
  t.ok(lstatSync(properties).isFile());
});

t.test('a link within the folder is kept', async (t) => {
  writeFileSync(path.join(folder, 'shared.properties'), 'motd=before\n');
  symlinkSync('shared.properties', properties);
  t.match(await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { motd: 'after' } }), {
    status: 200,
  });
  t.ok(lstatSync(properties).isSymbolicLink());
  t.match(readFileSync(path.join(folder, 'shared.properties'), 'utf8'), /^motd=after$/m);
});

t.test('a restore writes neither content nor modes through links', async (t) => {
  mkdirSync(path.join(folder, 'world'), { recursive: true });
  writeFileSync(path.join(folder, 'world/level.dat'), 'level');
  chmodSync(path.join(folder, 'world'), 0o777);
  symlinkSync(victim, path.join(folder, 'to-a-file'));
  symlinkSync(outside, path.join(folder, 'to-a-folder'));
  const made = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup');
  t.equal(made.status, 200);
  t.equal((await restore(made.body.backupId)).status, 200);
  t.equal(lstatSync(path.join(folder, 'to-a-file')).isSymbolicLink(), true);
  isUntouched(t);

  // A folder of the backup is replaced by a link.
  renameSync(path.join(folder, 'world'), path.join(folder, 'world-before'));
  symlinkSync(outside, path.join(folder, 'world'));
  chmodSync(outside, 0o700);
  t.equal((await restore(made.body.backupId)).status, 200);
  t.equal(lstatSync(path.join(folder, 'world')).isDirectory(), true);
  t.equal(statSync(outside).mode & 0o777, 0o700, 'its mode is not changed');
  t.notOk(existsSync(path.join(outside, 'level.dat')));
  isUntouched(t);
});

function restore(backupId: string) {
  return gamekeeper.api('POST', `/instances/demo/backups/${backupId}/restore`);
}
