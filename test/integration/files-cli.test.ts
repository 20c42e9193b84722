/** `gamekeeper files` against a real Gamekeeper. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../dist/daemon/cli/main.js');
const gamekeeper = await startGamekeeper(t);
const folder = path.join(gamekeeper.home, 'instances/demo');
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
mkdirSync(path.join(folder, 'plugins'), { recursive: true });

/** Runs `gamekeeper files edit` with a shell script as the editor, which gets the file as $1. */
function edit(t: Test, file: string, script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const editor = path.join(temporaryFolder(t), 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o700);
  const args = [COMMAND_LINE, 'files', 'edit', 'demo', file, '--home', gamekeeper.home];
  return new Promise((resolve) => {
    const env = { ...process.env, EDITOR: editor, VISUAL: '' };
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

t.test('files are uploaded, listed, read, downloaded and deleted', async (t) => {
  const local = path.join(temporaryFolder(t), 'shop.yml');
  writeFileSync(local, 'price: 1\n');
  t.match(await gamekeeper.cli('files', 'put', 'demo', 'plugins/shop.yml', local), {
    code: 0,
    stdout: /Uploaded 9 B/,
  });
  t.equal(readFileSync(path.join(folder, 'plugins/shop.yml'), 'utf8'), 'price: 1\n');
  t.match(await gamekeeper.cli('files', 'put', 'demo', 'plugins/shop.yml', local, '--new'), {
    code: 1,
    stderr: /exists/,
  });
  t.match(await gamekeeper.cli('files', 'put', 'demo', 'x', `${local}.no`), { code: 1, stderr: /cannot be read/ });
  t.match(await gamekeeper.cli('files', 'ls', 'demo'), { code: 0, stdout: /plugins\// });
  t.match(await gamekeeper.cli('files', 'ls', 'demo', 'plugins'), { stdout: /shop\.yml +9 B/ });
  t.match(await gamekeeper.cli('files', 'cat', 'demo', 'plugins/shop.yml'), { code: 0, stdout: 'price: 1\n' });
  t.match(await gamekeeper.cli('files', 'cat', 'demo', '../x'), { code: 1, stderr: /must not contain/ });
  const copy = `${local}.copy`;
  t.match(await gamekeeper.cli('files', 'get', 'demo', 'plugins/shop.yml', '-o', copy), { code: 0 });
  t.equal(readFileSync(copy, 'utf8'), 'price: 1\n');
  t.match(await gamekeeper.cli('files', 'get', 'demo', 'plugins/shop.yml', '-o', copy), { code: 1, stderr: /exists/ });

  t.match(await gamekeeper.cli('files', 'find', 'demo', '*.yml'), { code: 0, stdout: 'plugins/shop.yml\n' });
  t.match(await gamekeeper.cli('files', 'find', 'demo', '-c', 'PRICE', '--in', 'plugins'), {
    stdout: 'plugins/shop.yml:1: price: 1\n',
  });
  t.match(await gamekeeper.cli('files', 'find', 'demo', 'nothing.at.all'), { code: 0, stdout: 'Nothing found.\n' });
  t.match(await gamekeeper.cli('files', 'find', 'demo'), { code: 1, stderr: /name.*contains/ });
  t.match(await gamekeeper.cli('files', 'usage', 'demo', 'plugins'), { stdout: /shop\.yml +9 B +1\n9 B in 1 file/ });

  t.match(await gamekeeper.cli('files', 'zip', 'demo', 'shop.zip', 'plugins/shop.yml'), {
    code: 0,
    stdout: 'Created "shop.zip".\n',
  });
  t.match(await gamekeeper.cli('files', 'zip', 'demo', 'a.zip', 'plugins/shop.yml', 'shop.zip'), {
    code: 1,
    stderr: /not all in one folder/,
  });
  t.match(await gamekeeper.cli('files', 'unzip', 'demo', 'shop.zip'), { code: 0, stdout: 'Unpacked "shop.zip".\n' });
  t.equal(readFileSync(path.join(folder, 'shop.yml'), 'utf8'), 'price: 1\n');

  writeFileSync(local, 'price: 2\n');
  t.equal((await gamekeeper.cli('files', 'put', 'demo', 'plugins/shop.yml', local)).code, 0);
  t.match(await gamekeeper.cli('files', 'history', 'demo', 'plugins/shop.yml'), { code: 0, stdout: / 9 B/ });
  t.match(await gamekeeper.cli('files', 'undo', 'demo', 'plugins/shop.yml'), { code: 0, stdout: /is as it was/ });
  t.equal(readFileSync(path.join(folder, 'plugins/shop.yml'), 'utf8'), 'price: 1\n');
  t.match(await gamekeeper.cli('files', 'undo', 'demo', 'nothing'), { code: 1, stderr: /no earlier versions/ });

  t.match(await gamekeeper.cli('files', 'diff', 'demo', 'plugins/shop.yml'), {
    code: 0,
    stdout: /^--- plugins\/shop\.yml \(\S+\)\n\+\+\+ plugins\/shop\.yml\n@@ -1,1 \+1,1 @@\n-price: 2\n\+price: 1\n$/,
  });
  const [{ version }] = JSON.parse(
    (await gamekeeper.cli('files', 'history', 'demo', 'plugins/shop.yml', '--json')).stdout,
  ).versions.slice(-1);
  t.match(await gamekeeper.cli('files', 'diff', 'demo', 'plugins/shop.yml', version), {
    code: 0,
    stdout: /are the same/,
  });
  writeFileSync(local, 'name: \x1b[2J\nprice: 1\n');
  t.match(await gamekeeper.cli('files', 'diff', 'demo', 'plugins/shop.yml', local), {
    code: 0,
    stdout: `--- plugins/shop.yml\n+++ ${local}\n@@ -1,1 +1,2 @@\n+name: <U+001B>[2J\n price: 1\n`,
  });
  writeFileSync(local, 'price: 1\r\n');
  const json = await gamekeeper.cli('files', 'diff', 'demo', 'plugins/shop.yml', local, '--json');
  t.same(JSON.parse(json.stdout), { from: 'plugins/shop.yml', to: local, differsIn: 'format' });
  writeFileSync(local, Buffer.from([1, 0, 2]));
  t.match(await gamekeeper.cli('files', 'diff', 'demo', 'plugins/shop.yml', local), { code: 0, stdout: / differ\. / });
  t.match(await gamekeeper.cli('files', 'diff', 'demo', 'plugins/shop.yml', 'no-such-version'), {
    code: 1,
    stderr: /neither an earlier version nor a file/,
  });
  t.match(await gamekeeper.cli('files', 'diff', 'demo', 'plugins/nothing.yml'), {
    code: 1,
    stderr: /not found|no such/i,
  });

  const removed = await gamekeeper.cli('files', 'rm', 'demo', 'plugins/shop.yml');
  t.notOk(existsSync(path.join(folder, 'plugins/shop.yml')));
  t.match(await gamekeeper.cli('files', 'trash', 'demo'), { stdout: /plugins\/shop\.yml/ });
  const again = /files restore demo (\S+)/.exec(removed.stdout)?.[1] ?? '';
  t.match(await gamekeeper.cli('files', 'restore', 'demo', again), { code: 0, stdout: /is back/ });
  t.match(await gamekeeper.cli('files', 'rm', 'demo', 'plugins/shop.yml', '--permanently'), { stdout: /for good/ });
});

t.test('an edited file is uploaded, unless somebody else has changed it', async (t) => {
  const file = path.join(folder, 'plugins/shop.yml');
  t.match(await edit(t, 'plugins/shop.yml', 'echo one > "$1"'), { code: 0, stdout: /Saved/ }, 'a new file');
  t.match(await edit(t, 'plugins/shop.yml', 'true'), { code: 0, stdout: /not changed/ });
  t.match(await edit(t, 'plugins/shop.yml', 'exit 3'), { code: 1, stderr: /ended with 3/ });
  t.equal(readFileSync(file, 'utf8'), 'one\n');
  const failed = await edit(t, 'plugins/shop.yml', 'echo two > "$1"; exit 4');
  t.equal(readFileSync(rescued(failed.stderr), 'utf8'), 'two\n', 'what was saved is kept');
  rmSync(path.dirname(rescued(failed.stderr)), { recursive: true });
  const conflict = await edit(t, 'plugins/shop.yml', `echo game > "${file}"; echo mine > "$1"`);
  t.match(conflict, { code: 1, stderr: /has changed since you read it/ });
  t.equal(readFileSync(file, 'utf8'), 'game\n');
  const kept = rescued(conflict.stderr);
  t.equal(readFileSync(kept, 'utf8'), 'mine\n');
  rmSync(path.dirname(kept), { recursive: true });
});

function rescued(stderr: string): string {
  return /Your version is in (.+)\.$/m.exec(stderr)?.[1] ?? '';
}
