/**
 * Other users of the machine can neither read nor change anything of Gamekeeper's, whatever umask it was started with and even if the owner
 * opened the data directory itself (CWE-276, CWE-732).
 */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Files and folders that another user could reach, with their modes. `folder` itself can be entered. */
function reachable(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below)).flatMap((entry) => {
    const name = path.join(below, entry);
    const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
    if (!stats) return [];
    const open = (stats.mode & 0o077) === 0 ? [] : [`${name} ${(stats.mode & 0o777).toString(8)}`];
    return stats.isDirectory() && (stats.mode & 0o005) !== 0 ? [...open, ...reachable(folder, name)] : open;
  });
}

/** Has Gamekeeper create files of every kind. */
async function useEverything(t: Test, gamekeeper: Gamekeeper): Promise<void> {
  const { api } = gamekeeper;
  const admin = await signedInAdmin(gamekeeper);
  t.equal((await api('POST', '/instances', { name: 'Demo', software: 'demo' })).status, 201);
  t.equal((await api('POST', '/instances/demo/start')).status, 200);
  await gamekeeper.waitForStatus('demo', 'running');
  const { body: backup } = await api<{ backupId: string }>('POST', '/instances/demo/backup');
  t.match(backup, { backupId: /^\w/ });
  t.equal((await api('POST', '/instances/demo/clone', { name: 'Copy' })).status, 201);
  t.equal((await admin.api('PUT', '/api/settings', { log: { level: 'debug' } })).status, 200);
  t.equal((await api('POST', '/instances/demo/stop')).status, 200);
  await gamekeeper.waitForStatus('demo', 'stopped');
  t.equal((await api('POST', `/instances/demo/backups/${backup.backupId}/restore`)).status, 200);
}

for (const mask of [0o000, 0o022, 0o077])
  t.test(`umask ${mask.toString(8).padStart(3, '0')}`, async (t) => {
    const before = process.umask(mask);
    t.teardown(() => process.umask(before));
    const gamekeeper = await startGamekeeper(t);
    const { home } = gamekeeper;
    await useEverything(t, gamekeeper);
    chmodSync(home, 0o755);
    await gamekeeper.endDaemon('SIGTERM');
    await gamekeeper.startDaemon();
    t.equal((await gamekeeper.api('GET', '/instances')).status, 200);
    t.same(reachable(home), []);
    for (const { name, mode } of everySocket(home)) t.equal(mode, 0o600, name);
  });

function everySocket(home: string) {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const stats = statSync(path.join(home, name), { throwIfNoEntry: false });
    return stats?.isSocket() ? [{ name, mode: stats.mode & 0o777 }] : [];
  });
}
