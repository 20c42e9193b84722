import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { TestJobs } from '../../../support/jobs/test-jobs.ts';
import { type ModWorld, modWorld, needs } from './mod-world.ts';

/** Provides what a start needs besides mods, so no vendor is asked: a program, and a fake Java 21. */
function makeStartable({ jobs }: ModWorld): void {
  const { cache, installed, runtimes } = jobs.home;
  const program = path.join(runtimes, 'java-21/bin/java');
  mkdirSync(path.dirname(program), { recursive: true });
  writeFileSync(program, '#!/bin/sh\necho \'openjdk version "21.0.9"\'\n');
  chmodSync(program, 0o755);
  const hex = createHash('sha256').update('a launcher').digest('hex');
  for (const folder of [path.join(cache, 'downloads'), installed]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(cache, 'downloads', `sha256-${hex}`), 'a launcher');
  const file = { vendor: 'fabric', url: 'http://127.0.0.1:9/x', digest: { algorithm: 'sha256', hex } };
  const record = { kind: 'fabric', version: '1.21.8', build: '1', java: 21, file };
  writeFileSync(path.join(installed, 'survival.json'), JSON.stringify(record));
}

/** Returns the console lines of a start. */
async function start(jobs: TestJobs): Promise<string[]> {
  const lines: string[] = [];
  for await (const step of jobs.call.provision('survival')) if ('progress' in step) lines.push(step.progress);
  return lines.filter((line) => !line.startsWith('Installed '));
}

t.test('a running server keeps its files until its next start', async (t) => {
  const world = await modWorld(t);
  const { modrinth, jobs, install, update, remove, set, files } = world;
  modrinth.add(
    { slug: 'magic', versions: [{ number: '1', dependencies: needs('library') }] },
    { slug: 'library', versions: [{ number: '1' }] },
    { slug: 'calm', versions: [{ number: '1' }] },
  );
  await install('magic');
  makeStartable(world);
  set({}, { phase: 'running' });
  modrinth.add({ slug: 'library', versions: [{ number: '1' }, { number: '2' }] });
  t.match(await update('library'), { state: 'waiting', changes: [{ from: '1', version: '2' }] });
  t.match(await install('calm'), { state: 'waiting' });
  t.same(files(), ['library-1.jar', 'magic-1.jar']);
  t.match((await jobs.call.mods('survival')).mods, [
    { file: 'calm-1.jar', waiting: 'install' },
    { file: 'library-1.jar', waiting: 'remove' },
    { file: 'library-2.jar', waiting: 'install', version: '2' },
    { file: 'magic-1.jar', waiting: undefined },
  ]);
  t.match(await install('calm'), { changes: [], notes: [/already installed/] }, 'waiting files count as installed');
  t.match(await remove('calm'), { state: 'waiting' }, 'it can be undone');
  await t.rejects(remove('library'), { code: 'mod_conflict', message: 'Library is needed by Magic.' });
  t.match(await update(), { changes: [] });
  t.same(jobs.daemon.recorded, ['survival mods'], 'the history shows changes of the folder, not those that wait');

  await jobs.restart();
  t.same(await start(jobs), ['Changed mods: installed Library 2; removed library-1.jar.']);
  t.same(files(), ['library-2.jar', 'magic-1.jar']);
  t.match((await jobs.call.mods('survival')).mods, [{ file: 'library-2.jar' }, { file: 'magic-1.jar' }]);
  t.same(await start(jobs), [], 'made only once');
  t.same(jobs.daemon.recorded, ['survival mods', 'survival mods']);
});

t.test('a start during a change makes the change wait for the start after it', async (t) => {
  const { modrinth, jobs, install, files } = await modWorld(t);
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] });
  const supervisor = await jobs.daemon.supervisor('survival');
  supervisor.onHold = () => {
    throw new GamekeeperError('invalid_state', 'The server is starting.');
  };
  t.match(await install('magic'), { state: 'waiting' });
  t.same(files(), []);
  modrinth.add({ slug: 'calm', versions: [{ number: '1' }] });
  supervisor.onHold = () => {
    throw new GamekeeperError('backup_in_progress', 'The instance is being backed up.');
  };
  await t.rejects(install('calm'), { code: 'backup_in_progress' });
  supervisor.onHold = () => ({ quiesced: true });
  t.match(await install('calm'), { state: 'done' });
  t.same(files(), ['calm-1.jar', 'magic-1.jar'], 'a waiting change is made with the next change of a stopped server');
  t.same(supervisor.heard.slice(-2), ['hold installing', 'release']);
});

t.test('a start that makes the waiting changes during a download does not make them twice', async (t) => {
  const world = await modWorld(t);
  const { modrinth, jobs, install, set, files } = world;
  modrinth.add({ slug: 'calm', versions: [{ number: '1' }] }, { slug: 'runes', versions: [{ number: '1' }] });
  makeStartable(world);
  set({}, { phase: 'running' });
  await install('calm');
  set({});
  const downloading = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  modrinth.fault = ({ url = '' }, response) => {
    if (!url.includes('/data/Runes')) return false;
    downloading.resolve();
    void started.promise.then(() => response.end(modrinth.jar('runes', '1')));
    return true;
  };
  const installing = install('runes');
  await downloading.promise;
  t.same(await start(jobs), ['Changed mods: installed Calm 1.'], 'a start does not wait for downloads');
  set({}, { phase: 'running' });
  started.resolve();
  t.match(await installing, { state: 'waiting', changes: [{ name: 'Runes' }] });
  t.same(await start(jobs), ['Changed mods: installed Runes 1.']);
  t.same(files(), ['calm-1.jar', 'runes-1.jar']);
});

t.test('a server starts with its previous mods if the new ones cannot be downloaded', async (t) => {
  const world = await modWorld(t);
  const { modrinth, jobs, install, set, files } = world;
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] }, { slug: 'calm', versions: [{ number: '1' }] });
  await install('calm');
  set({}, { phase: 'running' });
  await install('magic');
  rmSync(path.join(jobs.home.cache, 'downloads'), { recursive: true });
  makeStartable(world);
  const lost = modrinth.fault;
  modrinth.fault = (_, response) => Boolean(response.writeHead(404).end());
  t.match(
    (await start(jobs)).at(-1),
    /^The mods were not changed: .* status 404\. Gamekeeper tries again at the next start\.$/,
  );
  t.same(files(), ['calm-1.jar']);
  modrinth.fault = lost;
  t.match((await start(jobs)).at(-1), 'Changed mods: installed Magic 1.', 'downloaded again');
  t.same(files(), ['calm-1.jar', 'magic-1.jar']);
});

t.test('an interrupted change is undone and then made completely', async (t) => {
  const world = await modWorld(t);
  const { modrinth, jobs, install, update, set, files, folder, own } = world;
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] }, { slug: 'calm', versions: [{ number: '1' }] });
  await install('magic');
  makeStartable(world);
  set({}, { phase: 'running' });
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }, { number: '2' }] });
  await update();
  await install('calm');
  // As after a kill between two renames.
  renameSync(path.join(folder, 'magic-1.jar'), path.join(folder, 'magic-1.jar.gamekeeper-old'));
  own('calm-1.jar', modrinth.jar('calm', '1'));
  own('magic-2.jar.gamekeeper-new', 'half of it');
  await start(jobs);
  t.same(files(), ['calm-1.jar', 'magic-2.jar']);
  t.ok(readFileSync(path.join(folder, 'magic-2.jar')).equals(modrinth.jar('magic', '2')));

  own('left.jar.gamekeeper-old', 'by a kill right behind the last step');
  set({});
  modrinth.add({ slug: 'runes', versions: [{ number: '1' }] });
  await install('runes');
  t.same(files(), ['calm-1.jar', 'magic-2.jar', 'runes-1.jar']);
});

t.test('a waiting change is dropped if the folder no longer matches it', async (t) => {
  const world = await modWorld(t);
  const { modrinth, jobs, install, update, set, files, folder, own } = world;
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] }, { slug: 'calm', versions: [{ number: '1' }] });
  await install('magic');
  makeStartable(world);
  set({}, { phase: 'running' });
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }, { number: '2' }] });
  const restore = () => {
    for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
    own('magic-0.jar', 'from a backup');
  };
  await update();
  restore();
  t.match(await start(jobs), [
    /^The mods were not changed: magic-1\.jar has changed since .*Request the change again\.$/,
  ]);
  t.same(files(), ['magic-0.jar']);
  t.same(await start(jobs), []);

  await install('calm');
  own('calm-1.jar', 'put there meanwhile');
  await t.rejects(install('calm'), { code: 'mod_conflict', message: /another file calm-1\.jar/ });
  t.same(await start(jobs), []);
});

t.test('a waiting change is dropped if the server has other software by now', async (t) => {
  const world = await modWorld(t);
  const { modrinth, jobs, install, set, files } = world;
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] });
  set({}, { phase: 'running' });
  t.match(await install('magic'), { state: 'waiting' });
  set({ software: 'custom' });
  t.match(await start(jobs), [/chosen for the software that the server had before\. Request the change again\.$/]);
  t.same(files(), []);
  t.same(await start(jobs), []);
});

t.test('the waiting changes of a deleted instance are dropped', async (t) => {
  const world = await modWorld(t);
  const { modrinth, jobs, install, set } = world;
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] });
  makeStartable(world);
  set({}, { phase: 'running' });
  await install('magic');
  await jobs.call.forgetInstance({ instanceId: 'survival', backups: false, mods: false });
  t.match(
    (await jobs.call.mods('survival')).mods,
    [{ name: 'Magic', waiting: 'install' }],
    'the waiting change is kept with the folder',
  );
  await jobs.call.forgetInstance({ instanceId: 'survival', backups: false, mods: true });
  t.same((await jobs.call.mods('survival')).mods, []);
});
