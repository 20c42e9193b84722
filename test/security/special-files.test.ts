/**
 * Pipes without a writer, endless devices, circular links and files of a gigabyte in place of a server's settings are answered quickly, and
 * others are served meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const SOON_MS = 5_000;
const GIGABYTE = 1024 ** 3;

const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
const folder = path.join(gamekeeper.home, 'instances/demo');

const STRANGE: { name: string; make(file: string): void | Promise<void> }[] = [
  { name: 'a pipe', make: (file) => void execFileSync('mkfifo', [file]) },
  { name: 'a folder', make: (file) => void mkdirSync(file) },
  {
    name: 'a gigabyte',
    make(file) {
      writeFileSync(file, '');
      truncateSync(file, GIGABYTE);
    },
  },
  { name: 'a device without an end', make: (file) => symlinkSync('/dev/zero', file) },
  { name: 'a link to itself', make: (file) => symlinkSync(path.basename(file), file) },
  {
    name: 'a socket',
    async make(file) {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(file, resolve));
      t.teardown(() => server.close());
    },
  },
];

for (const { name, make } of STRANGE) {
  t.test(`answers quickly if server.properties is ${name}`, async (t) => {
    const file = path.join(folder, 'server.properties');
    await make(file);
    // As many as libuv has threads that could wait for a file, and as many as one user may have under way.
    const answers = await within(
      SOON_MS,
      Promise.all(Array.from({ length: 4 }, () => get('/instances/demo/properties'))),
    );
    for (const { status, body } of answers) t.match({ status, body }, { status: 409, body: { code: 'invalid_state' } });
    const start = await within(SOON_MS, gamekeeper.api('POST', '/instances/demo/start'));
    if (start.status === 200) await gamekeeper.waitForStatus('demo', 'stopped');
    else t.equal(start.status, 409);
    t.equal((await get('/instances/demo/logs')).status, 200, 'the supervisor still answers');
    rmSync(file, { recursive: true, force: true });

    const directory = temporaryFolder(t);
    await make(path.join(directory, 'server.properties'));
    const body = { name: 'Own', software: 'demo', directory };
    const creations = await within(
      SOON_MS,
      Promise.all(Array.from({ length: 5 }, () => gamekeeper.api('POST', '/instances', body))),
    );
    for (const { status } of creations) t.equal(status, 409, 'an instance in such a folder is refused');
    t.equal((await get('/health')).status, 200, 'the daemon still answers');
  });
}

t.test('a backup skips all of them', async (t) => {
  for (const [n, { make }] of STRANGE.filter(({ name }) => name !== 'a gigabyte').entries())
    await make(path.join(folder, `strange-${n}`));
  const answer = await within(30_000, gamekeeper.api('POST', '/instances/demo/backup'));
  t.equal(answer.status, 200);
});

t.test('lists the players if ops.json is a pipe', async (t) => {
  rmSync(folder, { recursive: true });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  rmSync(path.join(folder, 'ops.json'), { force: true });
  execFileSync('mkfifo', [path.join(folder, 'ops.json')]);
  t.same((await within(SOON_MS, get('/instances/demo/players'))).body, []);
});

function get(where: string) {
  return gamekeeper.api('GET', where);
}

/** Rejects if the work takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not answered within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
