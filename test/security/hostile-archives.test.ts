/**
 * Malicious archives with a matching manifest, put into the backups folder and restored: names that leave the folder (CVE-2018-1002204 "Zip
 * Slip", CVE-2026-13716 of Crafty: `.../...//`), links to write through (CVE-2026-10732 and CVE-2026-39246 of decompress, CVE-2026-56876 of
 * extract-zip, CVE-2026-76845 of adm-zip), bombs (pterodactyl/daemon#93).
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { type HandmadeEntry, zipBytes } from '../workers/pool/zip-bytes.ts';

const gamekeeper = await startGamekeeper(t);
const outside = temporaryFolder(t);
const folder = path.join(gamekeeper.home, 'instances/demo');
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'world.txt'), 'the live world');
const made = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup');
const { backupId } = made.body;
const archive = path.join(gamekeeper.home, `backups/demo/${backupId}.zip`);
const zeros = Buffer.alloc(32 * 1024 * 1024);
const LINK = 0o120777;

const HOSTILE: Record<string, HandmadeEntry[]> = {
  'climbs by ..': [{ name: '../../escaped.txt', content: 'x' }],
  'climbs by .. further in': [{ name: 'a/../../../escaped.txt', content: 'x' }],
  'climbs by .../...//': [{ name: '.../...//escaped.txt', content: 'x' }],
  'climbs by backslashes': [{ name: '..\\..\\escaped.txt', content: 'x' }],
  'is absolute': [{ name: path.join(outside, 'escaped.txt'), content: 'x' }],
  'is on a server': [{ name: '//server/share/escaped.txt', content: 'x' }],
  'hides behind a NUL': [{ name: 'a.txt\0/../../escaped.txt', content: 'x' }],
  'says another name in front': [{ name: 'a.txt', localName: '../../escaped.txt', content: 'x' }],
  'writes through a link of its own': [
    { name: 'out', content: outside, mode: LINK },
    { name: 'out/escaped.txt', content: 'x' },
  ],
  'writes through a link under the same name': [
    { name: 'escaped.txt', content: path.join(outside, 'escaped.txt'), mode: LINK },
    { name: 'escaped.txt', content: 'x' },
  ],
  'the same, in the other order': [
    { name: 'escaped.txt', content: 'x' },
    { name: 'escaped.txt', content: path.join(outside, 'escaped.txt'), mode: LINK },
  ],
  'a folder, then a link in its place': [
    { name: 'out/', mode: 0o40755 },
    { name: 'out', content: outside, mode: LINK },
    { name: 'out/escaped.txt', content: 'x' },
  ],
  'a chain of links': [
    { name: 'a', content: '.', mode: LINK },
    { name: 'a/b', content: '..', mode: LINK },
    { name: 'a/b/escaped.txt', content: 'x' },
  ],
  'a device': [{ name: 'null', mode: 0o020666 }],
  'a pipe': [{ name: 'pipe', mode: 0o010666 }],
  'a bomb that says it is small': [{ name: 'bomb', content: zeros, method: 'deflated', claims: { size: 1_000 } }],
  'a bomb that is honest, against the manifest': [{ name: 'bomb', content: zeros, method: 'deflated' }],
  'a bomb of entries that share their bytes (Fifield 2019)': Array.from({ length: 200 }, (_, n) => ({
    name: `${n}`,
    content: n === 0 ? zeros.subarray(0, 1_000_000) : '',
    method: 'deflated' as const,
    ...(n > 0 && { claims: { offset: 0, size: 1_000_000, compressedSize: 1_000 } }),
  })),
  'a ratio that deflate cannot reach': [
    { name: 'bomb', content: 'x', method: 'deflated', claims: { size: 4_000_000_000 } },
  ],
};

for (const [name, entries] of Object.entries(HOSTILE)) {
  t.test(name, async (t) => {
    replaceArchive(zipBytes(entries), 4_000);
    const verdict = await gamekeeper.api<{ ok: boolean }>('POST', `/instances/demo/backups/${backupId}/verify`);
    t.ok(
      verdict.status === 422 || verdict.body.ok === false,
      `it is not called whole: ${JSON.stringify(verdict.body)}`,
    );
    const answer = await restore();
    t.match(answer, { status: 422, body: { code: 'backup_damaged' } });
    t.notMatch(JSON.stringify(answer.body), gamekeeper.home, 'the response has no path of the host');
    await cannotBeBrowsed(t, entries);
    await nothingEscaped(t);
    t.equal(readFileSync(path.join(folder, 'world.txt'), 'utf8'), 'the live world', 'the live files are unchanged');
  });
}

t.test('a bomb with its true size in the manifest is refused for lack of disk space', async (t) => {
  const claims = { size: 0xfffffff0, compressedSize: 0xfffff };
  const bomb = Array.from({ length: 4_096 }, (_, n) => ({
    name: `${n}`,
    content: '',
    method: 'deflated' as const,
    claims,
  }));
  replaceArchive(zipBytes(bomb), 2 ** 44);
  t.ok([422, 507].includes((await restore()).status));
  await nothingEscaped(t);
});

t.test('links are restored as links after all files, and nothing is written through them', async (t) => {
  replaceArchive(
    zipBytes([
      { name: 'out', content: outside, mode: LINK },
      { name: 'up', content: '../../..', mode: LINK },
      { name: 'a/setuid', content: '#!/bin/sh', mode: 0o106755 },
    ]),
    1_000,
  );
  t.equal((await restore()).status, 200);
  t.ok(lstatSync(path.join(folder, 'out')).isSymbolicLink());
  t.equal(statSync(path.join(folder, 'a/setuid')).mode & 0o7000, 0, 'the setuid bit is not restored');
  await nothingEscaped(t);
  // The deletion of the folder does not follow the links either.
  t.equal((await gamekeeper.api('DELETE', '/instances/demo?files=delete')).status, 204);
  t.notOk(existsSync(folder));
  t.ok(existsSync(outside));
  await nothingEscaped(t);
});

t.test('an exchanged archive is refused because of its hash', async (t) => {
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'a.txt'), 'a');
  const fresh = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup');
  const file = path.join(gamekeeper.home, `backups/demo/${fresh.body.backupId}.zip`);
  writeFileSync(file, zipBytes([{ name: 'a.txt', content: 'not what was backed up' }]));
  const answer = await gamekeeper.api('POST', `/instances/demo/backups/${fresh.body.backupId}/restore`);
  t.match(answer, { status: 422, body: { code: 'backup_damaged' } });
  t.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'a');
});

/** No file of the archive can be read or restored alone. Those with a false size or checksum can be listed, and break off. */
async function cannotBeBrowsed(t: Test, entries: readonly HandmadeEntry[]): Promise<void> {
  const files = `/instances/demo/backups/${backupId}/files`;
  const listed = await gamekeeper.api('GET', files);
  t.ok([200, 422].includes(listed.status), `listed: ${JSON.stringify(listed.body).slice(0, 200)}`);
  for (const { name } of entries.slice(0, 3)) {
    const query = `path=${encodeURIComponent(name)}`;
    const content = await gamekeeper.api('GET', `${files}/content?${query}`).catch(() => undefined);
    t.ok(content === undefined || (content.status >= 400 && content.status < 500), `read: ${content?.status}`);
    const compared = await gamekeeper.api('GET', `${files}/compare?${query}`);
    t.ok([200, 400, 404, 422].includes(compared.status), `compared: ${compared.status}`);
    const restored = await gamekeeper.api('POST', `${files}/restore`, { paths: [name] });
    t.ok(restored.status >= 400 && restored.status < 500, `restored: ${restored.status}`);
  }
}

function restore() {
  return gamekeeper.api('POST', `/instances/demo/backups/${backupId}/restore`);
}

/** Writes the hash of the archive to the catalogue, as if the attacker could do that, too, so that only the archive's content can be refused. */
function replaceArchive(bytes: Buffer, sourceBytes: number): void {
  writeFileSync(archive, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const database = new DatabaseSync(path.join(gamekeeper.home, 'gamekeeper.db'));
  database.exec('PRAGMA busy_timeout = 5000');
  const { changes } = database
    .prepare(
      "UPDATE backup SET entry = json_set(entry, '$.sha256', ?, '$.sizeBytes', ?, '$.sourceBytes', ?) WHERE backup_id = ?",
    )
    .run(sha256, bytes.length, sourceBytes, backupId);
  database.close();
  if (changes !== 1) throw new Error('The catalogue was not changed.');
}

async function nothingEscaped(t: Test): Promise<void> {
  t.same(readdirSync(outside), []);
  for (const place of ['', 'instances', 'backups'])
    t.notOk(
      existsSync(path.join(gamekeeper.home, place, 'escaped.txt')),
      `no file in ${place || 'the data directory'}`,
    );
  // What a deleted server leaves is removed after the answer.
  await until('there are no other folders beside the servers', () =>
    readdirSync(path.join(gamekeeper.home, 'instances')).every((name) => /^(demo|.*\.previous)$/.test(name)),
  );
}
