/**
 * No id or name leads out of the folders that it belongs to (CVE-2026-0963 of Crafty: copy and move left the server's folder; Wings of
 * Pelican, issue 199: the file name of a backup; CVE-2026-0805 of Crafty: the folder of backups).
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { rawRequest } from '../support/http/raw-request.ts';
import { signedInAdmin, signedInUser } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const gamekeeper = await startGamekeeper(t, { settings: { limits: { requestsPerSecond: 1e5, burst: 1e5 } } });
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const admin = await signedInAdmin(gamekeeper);
const made = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup');
const { backupId } = made.body;
// Files that a path out of the folders of instances, backups and logs would reach.
mkdirSync(path.join(gamekeeper.home, 'logs/instances/demo'), { recursive: true });
writeFileSync(path.join(gamekeeper.home, `${backupId}.zip`), 'CANARY');

/** Each is sent percent-encoded once, twice, and with only its dots encoded. */
const NAMES = [
  '..',
  '../demo',
  '../../settings.json',
  '..\\..\\settings.json',
  '....//....//settings.json',
  '.../...//settings.json',
  'demo/../demo',
  'demo/',
  './demo',
  '/etc/passwd',
  '//server/share',
  '\\\\server\\share',
  'C:\\Windows\\win.ini',
  'c:demo',
  'file:///etc/passwd',
  'demo\0',
  'demo\0.zip',
  'demo.',
  'demo ',
  ' demo',
  'demo::$DATA',
  'DEMO',
  'démo',
  'de\u0301mo',
  '\uff0e\uff0e\uff0fdemo',
  '\u2024\u2024/demo',
  '%2e%2e%2fdemo',
  '%c0%ae%c0%ae/demo',
  'CON',
  'aux.txt',
  'LPT1',
  '~',
  '~root',
  '$HOME',
  '`id`',
  '$(id)',
  '*',
  '?',
  'demo%0d%0aX: y',
  '-rf',
  '--help',
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  'a'.repeat(256),
  'a'.repeat(5_000),
  '\u202edemo',
  '\ud800',
];

const PLACES: [method: string, path: (name: string) => string][] = [
  ['GET', (name) => `/instances/${name}`],
  ['GET', (name) => `/instances/${name}/logs`],
  ['GET', (name) => `/instances/${name}/properties`],
  ['POST', (name) => `/instances/${name}/start`],
  ['DELETE', (name) => `/instances/${name}?files=delete&backups=delete`],
  ['GET', (name) => `/instances/demo/backups/${name}`],
  ['GET', (name) => `/instances/demo/backups/${name}/archive`],
  ['POST', (name) => `/instances/demo/backups/${name}/verify`],
  ['POST', (name) => `/instances/demo/backups/${name}/restore`],
  ['DELETE', (name) => `/instances/demo/backups/${name}`],
  ['GET', (name) => `/jobs/${name}`],
  ['DELETE', (name) => `/jobs/${name}`],
  ['POST', (name) => `/instances/demo/players/${name}/kick`],
  ['GET', (name) => `/software/${name}/versions`],
];

const { port } = new URL(gamekeeper.addresses().panel);
const authorization = `Bearer ${await gamekeeper.token()}`;
const before = listing();

for (const [method, place] of PLACES) {
  t.test(`${method} ${place('{name}')}`, async (t) => {
    const spelled = NAMES.flatMap((name) => {
      const encoded = name.isWellFormed() ? encodeURIComponent(name) : '%ed%a0%80';
      return [encoded, encodeURIComponent(encoded), encoded.replaceAll('%2F', '/').replaceAll('.', '%2e')];
    });
    // As raw bytes, because a client would normalize the path.
    const requests = spelled.map(
      (name) =>
        `${method} ${place(name)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\nContent-Length: 0\r\n\r\n`,
    );
    const answers: Awaited<ReturnType<typeof rawRequest>>[] = [];
    // One after the other: of some work, only one may be under way (gateway/work/work-table.ts).
    for (const bytes of requests) answers.push(await rawRequest(t, Number(port), bytes, { answers: 1 }));
    const wrong = answers.flatMap(([answer], n) =>
      answer && isRefusal(answer.statusCode, spelled[n] ?? '') && !/CANARY|root:|PRAGMA|SQLite/.test(answer.body)
        ? []
        : [`${spelled[n]?.slice(0, 60)}: ${answer?.statusCode} ${answer?.body.slice(0, 200)}`],
    );
    t.same(wrong, []);
  });
}

/** `demo` itself and the path of the collection are valid. */
function isRefusal(status: number, name: string): boolean {
  return [400, 404, 405, 409, 414, 422, 431].includes(status) || (status === 200 && /^(\.?\/?)demo\/?$|^$/.test(name));
}

t.test('names in bodies are validated', async (t) => {
  const NAME = { name: 'X', software: 'demo' };
  for (const id of NAMES.filter((name) => name !== 'constructor'))
    t.equal((await gamekeeper.api('POST', '/instances', { ...NAME, id })).status, 400, id);
  for (const software of NAMES)
    t.ok([400, 404].includes((await gamekeeper.api('POST', '/instances', { ...NAME, software })).status), software);
  for (const directory of [
    '..',
    './demo',
    '../demo',
    gamekeeper.home,
    `${gamekeeper.home}/run`,
    '/proc/self/cwd/no-such-folder',
    '\0',
  ])
    t.ok([400, 409].includes((await gamekeeper.api('POST', '/instances', { ...NAME, directory })).status), directory);
  for (const username of NAMES.filter((name) => !/^[A-Za-z0-9._@-]+$/.test(name) || name.startsWith('.')))
    t.equal((await admin.api('POST', '/api/users', { username, role: 'viewer' })).status, 400, username);
});

t.test('any name yields a valid id', async (t) => {
  for (const name of NAMES.filter((one) => one.trim() !== '' && one.trim().length <= 64)) {
    const answer = await gamekeeper.api<{ id: string }>('POST', '/instances', { name, software: 'demo' });
    t.ok(answer.status === 400 || /^[a-z0-9][a-z0-9-]{0,31}$/.test(answer.body.id), `${name}: ${answer.body.id}`);
    if (answer.status === 201)
      t.equal((await gamekeeper.api('DELETE', `/instances/${answer.body.id}?files=delete`)).status, 204);
  }
});

t.test('only administrators in the panel choose the backups folder', async (t) => {
  const change = { backups: { directory: path.join(gamekeeper.home, 'elsewhere') } };
  const operator = await signedInUser(gamekeeper, { username: 'operator', role: 'operator' });
  t.equal((await operator.api('PUT', '/api/settings', change)).status, 403);
  t.equal((await gamekeeper.api('PUT', '/api/settings', change)).status, 403, 'with a token');
  t.notOk(existsSync(change.backups.directory));
});

t.test('no file was changed', async (t) => {
  t.same(listing(), before);
  t.equal((await gamekeeper.api('GET', '/instances/demo')).status, 200);
  t.equal((await gamekeeper.api('GET', `/instances/demo/backups/${backupId}`)).status, 200);
});

function listing(): string[] {
  const { home } = gamekeeper;
  return ['', 'instances', 'backups', 'backups/demo', 'run'].flatMap((folder) =>
    readdirSync(path.join(home, folder)).filter((name) => !/\.(db-|sock|json$|tmp)|jobs/.test(name)),
  );
}
