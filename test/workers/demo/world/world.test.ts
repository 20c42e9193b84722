import { createHash } from 'node:crypto';
import { cp, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { type DemoServer, startDemoServer } from '../../../fixtures/demo-server.ts';
import { verifyWorld } from '../../../fixtures/verify-world.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

/** Changes and saves constantly. */
const BUSY = ['--change-every-ms', '1', '--autosave-ms', '20'];

t.test('the world consists of region files, level.dat and a session lock, and is valid', async (t) => {
  const server = await startDemoServer(t);
  await server.stop();
  const world = join(server.dir, 'world');
  t.equal(await readFile(join(world, 'session.lock'), 'utf8'), '☃');
  t.same(await readdir(join(world, 'region')), ['r.-1.-1.mca', 'r.-1.0.mca', 'r.0.-1.mca', 'r.0.0.mca']);
  t.equal((await stat(join(world, 'region', 'r.0.0.mca'))).size % 4096, 0, 'a whole number of sectors');
  t.match(await verifyWorld(world), { chunks: 100, problems: [] });
});

t.test('a copy taken during a save is torn sooner or later, and the check detects it', async (t) => {
  const server = await startDemoServer(t, { flags: [...BUSY, '--slow-save', '100'] });
  const world = join(server.dir, 'world');
  await until(async () => (await verifyWorld(await copyOf(t, world))).problems.length > 0);
  t.pass('one copy was torn');
});

t.test('between save-off with a flush and save-on nothing is written, and a copy is whole', async (t) => {
  const server = await startDemoServer(t, { flags: BUSY });
  const world = join(server.dir, 'world');
  await command(server, 'save-off', /Automatic saving is now disabled$/);
  await command(server, 'save-all flush', /Saved the game$/);
  const before = await digest(world);
  const changes = await changesOf(server);
  await until(async () => (await changesOf(server)) > changes + 50);
  t.equal(await digest(world), before, 'the world changed 50 times, but no file');
  t.same((await verifyWorld(await copyOf(t, world))).problems, []);

  await command(server, 'save-on', /Automatic saving is now enabled$/);
  await until(async () => (await digest(world)) !== before);
  t.pass('saves again afterwards');
});

t.test('save-all without a flush writes the files later', async (t) => {
  const server = await startDemoServer(t, { flags: ['--change-every-ms', '1', '--autosave-ms', '600000'] });
  const world = join(server.dir, 'world');
  await until(async () => (await changesOf(server)) > 300);
  const before = await digest(world);
  await command(server, 'save-all', /Saved the game$/);
  await until(async () => (await digest(world)) !== before);
  t.pass('the files were written later');
});

t.test('save-off does not prevent the save at the stop', async (t) => {
  const server = await startDemoServer(t, { flags: ['--change-every-ms', '1'] });
  await command(server, 'save-off', /Automatic saving is now disabled$/);
  await until(async () => (await changesOf(server)) > 150);
  await server.stop();
  const report = await verifyWorld(join(server.dir, 'world'));
  t.same(report.problems, []);
  t.ok(report.generations > (100 * 101) / 2, 'the changes are on the disk');
});

t.test('loads a world as it was saved', async (t) => {
  const server = await startDemoServer(t, { flags: ['--change-every-ms', '1'] });
  await command(server, 'seed', /Seed: /);
  await until(async () => (await changesOf(server)) > 150);
  await server.stop();
  const seed = await server.waitForLine(/Seed: /);
  const { generations } = await verifyWorld(join(server.dir, 'world'));

  const again = await startDemoServer(t, { dir: server.dir, flags: ['--change-every-ms', '600000'] });
  t.equal((await command(again, 'seed', /Seed: /)).slice(-10), seed.slice(-10));
  t.ok((await changesOf(again)) > 150, 'continues counting');
  await again.stop();
  t.match(await verifyWorld(join(server.dir, 'world')), { generations, problems: [] });
});

t.test('reports a damaged chunk and creates it again; the others stay', async (t) => {
  const server = await startDemoServer(t, { flags: ['--change-every-ms', '600000'] });
  await server.stop();
  const world = join(server.dir, 'world');
  const file = await open(join(world, 'region', 'r.0.0.mca'), 'r+');
  await file.write(Buffer.alloc(64, 0xaa), 0, 64, 2 * 4096 + 100);
  await file.close();
  t.match((await verifyWorld(world)).problems, [/^r\.0\.0\.mca chunk \d,\d: /, /^99 chunks/, /^the files are of/]);

  const again = await startDemoServer(t, { dir: server.dir, flags: ['--change-every-ms', '600000'] });
  t.ok(await again.waitForLine(/ERROR\]: Couldn't load chunk \[\d, \d\]: it is damaged and will be generated again$/));
  await again.stop();
  t.match(await verifyWorld(world), { chunks: 100, problems: [] });
});

t.test('a slow save delays every command', async (t) => {
  const server = await startDemoServer(t, { flags: ['--slow-save', '300'] });
  server.type('save-all flush');
  server.type('list');
  await server.waitForLine(/There are 0 of a max of/);
  const order = server.lines.filter((line) => /Saved the game$|There are 0/.test(line));
  t.match(order, [/Saved the game$/, /There are 0/]);
});

async function command(server: DemoServer, line: string, answer: RegExp): Promise<string> {
  const from = server.lines.length;
  server.type(line);
  return server.waitForLine(answer, from);
}

async function changesOf(server: DemoServer): Promise<number> {
  const answer = await command(server, 'demo world', /changed \d+ times/);
  return Number(/changed (\d+) times/.exec(answer)?.[1]);
}

async function copyOf(t: Tap, world: string): Promise<string> {
  const copy = join(temporaryFolder(t), 'copy');
  await cp(world, copy, { recursive: true });
  return copy;
}
type Tap = Parameters<typeof temporaryFolder>[0];

/** Returns a hash of all files. */
async function digest(world: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(world, 'level.dat')));
  for (const name of await readdir(join(world, 'region'))) hash.update(await readFile(join(world, 'region', name)));
  return hash.digest('hex');
}

/** Asks again until it is true, or the test times out. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}
