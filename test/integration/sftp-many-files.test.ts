/** Hundreds of files through rclone, and one large file through OpenSSH's client, compared byte by byte. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';

const FILES = 700;
const FOLDERS = 35;
const LARGE_BYTES = 48 * 1024 * 1024;
const run = promisify(execFile);
const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/demo');
const ssh = await openSsh(t, gamekeeper);

/** The hash of each file of a tree, and of the kind of everything else. */
function contentOf(root: string): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.'));
  return new Map(
    entries.sort().map((name) => {
      const isFile = statSync(path.join(root, name)).isFile();
      return [
        name,
        isFile
          ? createHash('sha256')
              .update(readFileSync(path.join(root, name)))
              .digest('hex')
          : 'folder',
      ];
    }),
  );
}

t.test('rclone copies 700 files there and back', async (t) => {
  if (!requireProgram(t, 'rclone', 'rclone')) return;
  const own = temporaryFolder(t);
  for (let n = 0; n < FILES; n++) {
    const below = path.join(own, 'there', `folder ${n % FOLDERS}`);
    if (n < FOLDERS) mkdirSync(below, { recursive: true });
    const name = n % 7 === 0 ? `ü ${n} 'x'.yml` : `${n}.dat`;
    writeFileSync(path.join(below, name), randomBytes(n % 50 === 0 ? 70_000 : n % 900));
  }
  const password = (await run('rclone', ['obscure', gamekeeper.password])).stdout.trim();
  const remote = `:sftp,host=127.0.0.1,port=${ssh.port},user=admin,pass=${password},shell_type=none:/demo`;
  const rclone = (...args: string[]) =>
    run('rclone', [...args, '--config', '/dev/null', '--transfers', '8', '--checkers', '8', '--retries', '1'], {
      maxBuffer: 64 * 1024 * 1024,
    });
  await rclone('copy', path.join(own, 'there'), `${remote}/many`);
  const expected = contentOf(path.join(own, 'there'));
  t.equal(expected.size, FILES + FOLDERS);
  t.same(contentOf(path.join(folder, 'many')), expected, 'as they were sent');
  await rclone('copy', `${remote}/many`, path.join(own, 'back'));
  t.same(contentOf(path.join(own, 'back')), expected, 'as they came back');
  await rclone('check', path.join(own, 'there'), `${remote}/many`, '--download');
});

t.test('a large file arrives whole in both directions, also in the middle', async (t) => {
  if (!requireProgram(t, 'sftp', 'openssh-client')) return;
  const own = temporaryFolder(t);
  const large = randomBytes(LARGE_BYTES + 12_345);
  writeFileSync(path.join(own, 'large'), large);
  writeFileSync(path.join(own, 'begun'), large.subarray(0, 1_000_003));
  const { code, stderr } = await ssh.run({ username: 'admin', password: gamekeeper.password }, [
    `put ${own}/large /demo/large`,
    `get /demo/large ${own}/back`,
    `reget /demo/large ${own}/begun`,
    `put ${own}/begun /demo/partial`,
    '!true',
  ]);
  t.equal(code, 0, stderr);
  for (const file of [path.join(folder, 'large'), path.join(own, 'back'), path.join(own, 'begun')])
    t.ok(readFileSync(file).equals(large), file);
});
