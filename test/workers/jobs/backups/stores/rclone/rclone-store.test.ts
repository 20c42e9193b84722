import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import type { RcloneStoreSettings } from '../../../../../../shared/schema/backup-settings.ts';
import { createStore } from '../../../../../../workers/jobs/backups/stores/create-store.ts';
import { requireProgram } from '../../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../../support/machine/temporary-folder.ts';
import { sampleObject } from '../sample-object.ts';
import { checkStore, transfer } from '../store-contract.ts';
import { filesBelow, flipByte, smallDisk } from '../store-folder.ts';

const run = promisify(execFile);
const MiB = 1024 * 1024;
const { signal } = new AbortController();

/** Three remotes as "rclone config" creates them: `plain:`, `sub:` and the encrypting `crypt:`. */
async function remotes(t: Test, directory: string): Promise<string> {
  const config = path.join(temporaryFolder(t), 'rclone.conf');
  const { stdout: password } = await run('rclone', ['obscure', 'hunter2hunter2']);
  const sections = {
    plain: { type: 'local' },
    sub: { type: 'alias', remote: directory },
    crypt: { type: 'crypt', remote: directory, password: password.trim() },
  };
  const lines = Object.entries(sections).flatMap(([name, keys]) => [
    `[${name}]`,
    ...Object.entries(keys).map(([key, value]) => `${key} = ${value}`),
  ]);
  await writeFile(config, `${lines.join('\n')}\n`);
  return config;
}

function openRclone(settings: Pick<RcloneStoreSettings, 'remote' | 'config' | 'program'>) {
  return createStore({ name: 'drive', kind: 'rclone', ...settings }, { backups: '/nowhere', instances: '/nowhere' });
}

t.test('an rclone remote works as a store', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const directory = temporaryFolder(t);
  const config = await remotes(t, directory);
  checkStore(t, {
    open: () => openRclone({ remote: 'sub:', config }),
    damage: (key) => flipByte(path.join(directory, key)),
    list: () => filesBelow(directory),
    resumes: false,
  });
});

t.test('an encrypting remote without checksums works as a store', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const directory = temporaryFolder(t);
  const config = await remotes(t, directory);
  const store = await openRclone({ remote: 'crypt:gamekeeper', config });
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 10 * MiB);
  await store.put(object, transfer());
  t.equal(await store.verify(object, transfer()), true);
  const to = path.join(temporaryFolder(t), 'fetched.zip');
  await store.get(object.key, to, transfer());
  t.ok(object.content.equals(await readFile(to)));
  const [file] = await filesBelow(directory);
  t.notMatch(file, /survival/, 'names are encrypted too');
  await flipByte(path.join(directory, file!));
  t.equal(await store.verify(object, transfer()), false, 'a copy that cannot be decrypted counts as damaged');
  await t.rejects(store.get(object.key, `${to}.again`, transfer()), { code: 'backup_damaged' });
  await store.remove(object.key, signal);
  t.same(await filesBelow(directory), []);
});

t.test('a path full of shell syntax stays a single argument', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const directory = path.join(temporaryFolder(t), 'it\'s $(touch x) a;b & "c" *');
  await mkdir(directory);
  const config = await remotes(t, directory);
  const store = await openRclone({ remote: `plain:${directory}`, config });
  t.teardown(() => store.close());
  await store.test(signal);
  t.same(await readdir(directory), []);
});

t.test('no process has a secret of a remote in its arguments', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const folder = temporaryFolder(t);
  const config = await remotes(t, temporaryFolder(t));
  // Records its arguments, then runs rclone.
  const program = path.join(folder, 'rclone');
  await writeFile(program, `#!/bin/sh\necho "$@" >> ${folder}/calls\nenv >> ${folder}/environment\nexec rclone "$@"\n`);
  await chmod(program, 0o700);
  process.env.GAMEKEEPER_ADMIN_PASSWORD = 'of-the-first-user';
  t.teardown(() => delete process.env.GAMEKEEPER_ADMIN_PASSWORD);
  const store = await openRclone({ remote: 'crypt:', config, program });
  t.teardown(() => store.close());
  await store.test(signal);
  const calls = await readFile(path.join(folder, 'calls'), 'utf8');
  t.match(calls, /copyto/);
  t.notMatch(calls, /hunter2|password [^=]/);
  t.notMatch(await readFile(path.join(folder, 'environment'), 'utf8'), /of-the-first-user/);
});

t.test('a missing program, an old one and an unknown remote give different errors', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const folder = temporaryFolder(t);
  const config = await remotes(t, folder);
  const attempt = async (settings: Parameters<typeof openRclone>[0]) => {
    const store = await openRclone(settings);
    t.teardown(() => store.close());
    return store.test(signal).catch((reason: unknown) => reason);
  };
  t.match(await attempt({ remote: 'sub:', config, program: '/nowhere/rclone' }), {
    code: 'store_refused',
    message: /needs the program rclone, which was not found/,
    resolution: /apt-get install rclone/,
  });
  const old = path.join(folder, 'old');
  await writeFile(old, '#!/bin/sh\necho rclone v1.50.2\n');
  await chmod(old, 0o700);
  t.match(await attempt({ remote: 'sub:', config, program: old }), {
    code: 'store_refused',
    message: /1\.56 or newer/,
  });
  t.match(await attempt({ remote: 'nosuch:', config }), {
    code: 'store_refused',
    message: /remote that rclone does not/,
  });
  t.match(await attempt({ remote: 'sub:', config: '/nowhere/rclone.conf' }), { code: 'store_refused' });
});

t.test('a full disk on the remote is reported', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const disk = smallDisk(t, 10);
  if (!disk) return;
  const config = await remotes(t, disk.directory);
  const store = await openRclone({ remote: 'sub:', config });
  t.teardown(() => store.close());
  const object = await sampleObject(temporaryFolder(t), 12 * MiB);
  await t.rejects(store.put(object, transfer()), { code: 'insufficient_storage', message: /10 MB free/ });
  t.same(await filesBelow(disk.directory), []);
});

t.test('closing the store ends running operations', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const config = await remotes(t, temporaryFolder(t));
  const store = await openRclone({ remote: 'sub:', config });
  const object = await sampleObject(temporaryFolder(t), 10 * MiB);
  const how = transfer({ bytesPerSecond: MiB });
  const putting = store.put(object, { ...how, onProgress: () => void store.close() });
  await t.rejects(putting, { code: 'store_unavailable', message: /was closed/ });
});
