/**
 * While a backup, an export, a clone or a restore runs, a program in the server's folder keeps replacing a folder by a link to secrets and
 * back (CVE-2024-27102 of Wings). Nothing of the link's target is archived, sent, copied, written or deleted.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const SECRET = randomBytes(48).toString('hex');
/** Stored without compression because of its extension, so that it can be found in an archive. */
const NAME = 'secret.png';
const ROUNDS = 4;

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/demo');
const outside = temporaryFolder(t);
for (const below of ['', 'deep/deeper']) {
  mkdirSync(path.join(outside, below), { recursive: true });
  writeFileSync(path.join(outside, below, NAME), SECRET);
  mkdirSync(path.join(folder, 'later', below), { recursive: true });
  writeFileSync(path.join(folder, 'later', below, NAME), 'mine'.repeat(24));
}
for (let n = 0; n < 300; n++) writeFileSync(path.join(folder, 'later', `${n}.png`), randomBytes(4_096));
const { body } = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup', {
  cloudReplicate: false,
});
const first = body.backupId;

/** Replaces `later` by a link and back, as fast as a process can, until it is ended. */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [folder, outside] = process.argv.slice(1);
  for (;;) try {
    renameSync(folder + '/later', folder + '/aside');
    symlinkSync(outside, folder + '/later');
    unlinkSync(folder + '/later');
    renameSync(folder + '/aside', folder + '/later');
  } catch {}
`;

async function whileSwapping<T>(work: () => Promise<T>): Promise<T> {
  const swapper = spawn(process.execPath, ['-e', SWAPPER, folder, outside], { stdio: 'ignore' });
  try {
    return await work();
  } finally {
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
    putBack();
  }
}

/** The swapper may have been ended between two of its steps. */
function putBack(): void {
  const [later, aside] = [path.join(folder, 'later'), path.join(folder, 'aside')];
  if (lstatSync(later, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(later);
  if (!existsSync(later) && existsSync(aside)) renameSync(aside, later);
}

function isUntouched(): boolean {
  const secrets = ['', 'deep/deeper'].every(
    (below) => readFileSync(path.join(outside, below, NAME), 'utf8') === SECRET,
  );
  return secrets && readdirSync(outside).length === 2;
}

t.test('backups', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const backup = await whileSwapping(() =>
      gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup', { cloudReplicate: false }),
    );
    t.equal(backup.status, 200);
    const archive = readFileSync(path.join(gamekeeper.home, 'backups/demo', `${backup.body.backupId}.zip`));
    t.notOk(archive.includes(SECRET), 'the archive has nothing of the target');
  }
});

t.test('exports', async (t) => {
  const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
  for (let round = 0; round < ROUNDS; round++) {
    const zip = await whileSwapping(async () => {
      const answer = await fetch(`${gamekeeper.addresses().panel}/instances/demo/export`, { headers });
      return Buffer.from(await answer.arrayBuffer());
    });
    t.notOk(zip.includes(SECRET), 'the export has nothing of the target');
  }
});

t.test('clones', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    // A clone that meets the link itself is refused: two servers would write to its target.
    const clone = await whileSwapping(() =>
      gamekeeper.api<{ id: string }>('POST', '/instances/demo/clone', { name: `Copy ${round}` }),
    );
    t.match(clone.status, /^(201|409)$/);
    if (clone.status !== 201) continue;
    const copy = path.join(gamekeeper.home, 'instances', clone.body.id);
    const copied = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(NAME));
    for (const name of copied) t.not(readFileSync(path.join(copy, name), 'utf8'), SECRET, name);
  }
});

t.test('restores', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    await whileSwapping(() => gamekeeper.api('POST', `/instances/demo/backups/${first}/restore`));
    t.ok(isUntouched(), 'nothing outside has changed');
  }
  t.equal((await gamekeeper.api('POST', `/instances/demo/backups/${first}/restore`)).status, 200);
  t.equal(readFileSync(path.join(folder, 'later', NAME), 'utf8'), 'mine'.repeat(24));
});
