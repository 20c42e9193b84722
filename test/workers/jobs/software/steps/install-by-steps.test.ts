import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { InstallStep, SoftwareDefinition } from '../../../../../shared/domain/software/definition.ts';
import { handmadeTar, tarOf } from '../../../../support/jobs/archives.ts';
import { instanceConfig } from '../../../../support/jobs/fake-peers.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { zipBytes } from '../../../pool/zip-bytes.ts';
import { kindOf, put, serveFiles, sha256 } from './steps-world.ts';

const PROGRAM = '#!/bin/sh\necho ready\n';

/** Jobs with an instance of a kind, whose steps the test may change. */
async function world(t: Test, steps: readonly InstallStep[], more: Partial<SoftwareDefinition> = {}) {
  const jobs = await startTestJobs(t, { instances: [] });
  const directory = jobs.home.instanceDirectory('game');
  const setVersion = (version: string, variables: Record<string, string> = {}) => {
    const config = instanceConfig(jobs.home, 'game', { software: 'game', version, variables });
    jobs.daemon.instances.set('game', { config, runtime: { phase: 'provisioning' }, socket: null });
  };
  const setSteps = (changed: readonly InstallStep[]) => {
    jobs.daemon.kinds = [kindOf(changed, more)];
  };
  setVersion('stable');
  setSteps(steps);
  const at = (file: string) => path.join(directory, file);
  const text = (file: string) => readFileSync(at(file), 'utf8');
  return { jobs, directory, at, text, setVersion, setSteps, install: () => install(jobs) };
}

/** Resolves to the progress of an installation. */
async function install(jobs: TestJobs): Promise<string[]> {
  const lines: string[] = [];
  for await (const step of jobs.call.provision('game')) if ('progress' in step) lines.push(step.progress);
  return lines;
}

const left = (directory: string) => readdirSync(directory).filter((name) => name !== '.gamekeeper-files');

for (const [what, archive] of [
  ['tar.gz', (t: Test, files: Record<string, string>) => tarOf(t, files, 'gzip')],
  ['tar.xz', (t: Test, files: Record<string, string>) => tarOf(t, files, 'xz')],
  [
    'zip',
    (_t: Test, files: Record<string, string>) =>
      zipBytes(Object.entries(files).map(([name, content]) => ({ name, content }))),
  ],
] as const)
  t.test(`a ${what} is downloaded, unpacked, and its program made executable`, async (t) => {
    const { files, base, asked } = await serveFiles(t, {});
    files['/game/stable'] = archive(t, {
      'game-1/Linux/bin/game': PROGRAM,
      'game-1/Mac/bin/game': 'mac',
      'game-1/read.me': '',
    });
    const { directory, at, text, install } = await world(t, [
      { type: 'download', url: `${base}/game/{version}`, target: 'game.pkg' },
      { type: 'unpack', file: 'game.pkg', from: '*/Linux' },
      { type: 'chmod', files: ['bin/game'] },
    ]);
    const lines = await install();
    t.match(lines.join('\n'), /Step 1 of 3: download game\.pkg\..*Downloading Game.*Step 3 of 3.*Installed Game\./s);
    t.same(left(directory), ['bin'], 'without the archive and what was not asked for');
    t.equal(text('bin/game'), PROGRAM);
    t.equal(statSync(at('bin/game')).mode & 0o111, 0o111);
    t.same(await install(), [], 'the second start does nothing');
    t.equal(asked.length, 1);
  });

t.test('each step does what it says', async (t) => {
  const { base } = await serveFiles(t, { '/bin': Buffer.from(PROGRAM) });
  const { directory, text, at, install } = await world(
    t,
    [
      { type: 'download', url: `${base}/bin`, sha256: sha256(Buffer.from(PROGRAM)), target: 'new/game' },
      { type: 'mkdir', folder: 'saves/old' },
      { type: 'write', file: 'conf/game.cfg', text: 'name={name}\nmap={map}\n' },
      { type: 'move', from: 'new', to: 'bin' },
      { type: 'chmod', files: ['bin/game'] },
      { type: 'write', file: 'bin/setup', text: '#!/bin/sh\necho "in $HOME, $1"\necho made > "$2"\nenv > env\n' },
      { type: 'chmod', files: ['bin/setup'] },
      { type: 'run', program: 'bin/setup', args: ['{map}; touch evil', 'saves/world'], creates: 'saves/world' },
      { type: 'run', program: 'touch', args: ['from-path'] },
    ],
    { variables: [{ name: 'map', type: 'text', default: 'dust', editableBy: 'operator' }] },
  );
  process.env.GAMEKEEPER_TEST_SECRET = 'secret';
  t.teardown(() => delete process.env.GAMEKEEPER_TEST_SECRET);
  const lines = await install();
  t.ok(statSync(at('saves/old')).isDirectory());
  t.equal(text('conf/game.cfg'), 'name=game\nmap=dust\n');
  t.ok(existsSync(at('from-path')));
  t.ok(lines.includes(`setup: in ${directory}, dust; touch evil`), 'its output is shown');
  t.notOk(existsSync(at('evil')), 'an argument is no command');
  t.notMatch(text('env'), /GAMEKEEPER/, 'the environment is minimal');
});

t.test('a new version is installed over the old one, and what the owner has stays', async (t) => {
  const { base, files } = await serveFiles(t, {});
  const version = (number: string) =>
    tarOf(t, { 'bin/game': `${PROGRAM}# ${number}\n`, 'server.cfg': 'vendor', [`data/${number}`]: '' }, 'gzip');
  files['/1'] = version('1');
  files['/2'] = version('2');
  const { setVersion, install, at, text, jobs } = await world(t, [
    { type: 'download', url: `${base}/{version}`, target: 'game.tar.gz' },
    { type: 'unpack', file: 'game.tar.gz', keep: ['server.cfg'] },
    { type: 'run', program: 'sh', args: ['-c', 'echo new > world'], creates: 'world' },
  ]);
  setVersion('1');
  await install();
  put(at(''), { world: 'played', 'server.cfg': 'mine', 'mods/mine.zip': 'mod' });
  setVersion('2');
  await install();
  t.match(text('bin/game'), '# 2');
  t.same([text('world'), text('server.cfg'), text('mods/mine.zip')], ['played', 'mine', 'mod']);

  t.comment('"latest" installs again, and becomes the version that the kind names');
  files['/stable'] = version('3');
  setVersion('latest');
  await install();
  t.match(text('bin/game'), '# 3');
  t.equal(jobs.daemon.instances.get('game')!.config.version, 'stable');
  files['/stable'] = version('4');
  t.same(await install(), []);
  setVersion('latest');
  await install();
  t.match(text('bin/game'), '# 4', 'what the address has now, not what was downloaded before');
});

t.test('it is installed again if the program is gone, or the steps or what they fetch have changed', async (t) => {
  const { base, asked } = await serveFiles(t, { '/a': Buffer.from(PROGRAM), '/b': Buffer.from(PROGRAM) });
  const steps = (text: string): InstallStep[] => [
    { type: 'download', url: `${base}/{file}`, target: 'bin/game' },
    { type: 'write', file: text, text: '{map}' },
  ];
  const variables: SoftwareDefinition['variables'] = [
    { name: 'file', type: 'text', default: 'a', editableBy: 'operator' },
    { name: 'map', type: 'text', default: 'dust', editableBy: 'operator' },
  ];
  const { at, install, setSteps, setVersion } = await world(t, steps('one'), { variables });
  await install();
  rmSync(at('bin/game'));
  await install();
  t.equal(asked.length, 2);
  setSteps(steps('two'));
  await install();
  t.ok(existsSync(at('two')));
  t.equal(asked.length, 3);
  setVersion('stable', { map: 'castle' });
  await install();
  t.equal(asked.length, 3, 'a variable that only settings have changes nothing');
  setVersion('stable', { file: 'b' });
  await install();
  t.same(asked.at(-1), '/b');
});

t.test('a file of the owner that is in the way of a download is kept', async (t) => {
  const { base } = await serveFiles(t, { '/bin': Buffer.from(PROGRAM) });
  const { at, text, install } = await world(t, [{ type: 'download', url: `${base}/bin`, target: 'bin/game' }]);
  put(at(''), { 'bin/game': 'mine' });
  t.match((await install()).join('\n'), /Kept the existing game as game\.replaced/);
  t.equal(text('bin/game.replaced'), 'mine');
  t.equal(text('bin/game'), PROGRAM);
});

t.test('an archive that the owner has put there stays', async (t) => {
  const { at, text, install } = await world(t, [{ type: 'unpack', file: 'mine.zip' }]);
  put(at(''), {});
  writeFileSync(at('mine.zip'), zipBytes([{ name: 'bin/game', content: PROGRAM }]));
  await install();
  t.equal(text('bin/game'), PROGRAM);
  t.ok(existsSync(at('mine.zip')));
});

t.test('a wrong checksum is refused, and the next start tries again', async (t) => {
  const { base, files, asked } = await serveFiles(t, { '/bin': Buffer.from('forged') });
  const right = sha256(Buffer.from(PROGRAM));
  const { at, text, install } = await world(t, [
    { type: 'download', url: `${base}/bin`, sha256: right, target: 'bin/game' },
  ]);
  await t.rejects(install(), { code: 'vendor_unavailable', message: /checksum is wrong/ });
  t.notOk(existsSync(at('bin/game')));
  files['/bin'] = Buffer.from(PROGRAM);
  await install();
  t.equal(text('bin/game'), PROGRAM);
  t.equal(asked.length, 2);
});

t.test('an address cannot be led elsewhere by a value', async (t) => {
  const { base, asked } = await serveFiles(t, { '/a/..%2F..%2Fx%3Fy%40z': Buffer.from(PROGRAM) });
  const { install, setVersion } = await world(t, [
    { type: 'download', url: `${base}/a/{version}`, target: 'bin/game' },
  ]);
  setVersion('../../x?y@z');
  await install();
  t.same(asked, ['/a/..%2F..%2Fx%3Fy%40z']);
  setVersion('..');
  await t.rejects(install(), { code: 'installation_failed', message: /cannot be filled in/ });
  t.equal(asked.length, 1);
  setVersion('half a \ud83d');
  await t.rejects(install(), { code: 'vendor_unavailable' });
  t.equal(asked[1], '/a/half%20a%20%EF%BF%BD');
});

const HOSTILE: Record<string, (t: Test) => Buffer | Promise<Buffer>> = {
  'zip with a name that leads out': () => zipBytes([{ name: '../evil', content: 'x' }]),
  'zip with an absolute name': () => zipBytes([{ name: '/evil', content: 'x' }]),
  'zip with a link': () => zipBytes([{ name: 'evil', content: '../..', mode: 0o120777 }]),
  "zip with Gamekeeper's own folder": () => zipBytes([{ name: '.gamekeeper-files/trash/x', content: 'x' }]),
  'tar.gz with a name that leads out': () => handmadeTar([{ name: '../evil', content: 'x' }]),
  'tar.gz with a link that leads out': () => handmadeTar([{ name: 'evil', type: 'symlink', linkname: '../..' }]),
  'file that is no archive': () => Buffer.from('<html>not found</html>'),
};

for (const [what, content] of Object.entries(HOSTILE))
  t.test(`a ${what} is refused, and nothing of it appears`, async (t) => {
    const { base, files } = await serveFiles(t, { '/a': await content(t) });
    const { directory, at, text, install } = await world(t, [
      { type: 'download', url: `${base}/a`, target: 'a.pkg' },
      { type: 'unpack', file: 'a.pkg' },
    ]);
    put(directory, { world: 'mine' });
    await t.rejects(install(), {
      code: 'installation_failed',
      message: /"a\.pkg" cannot be unpacked|folder of Gamekeeper/,
    });
    t.same(left(directory).sort(), ['a.pkg', 'world']);
    t.notOk(existsSync(at('../evil')));
    files['/a'] = tarOf(t, { 'bin/game': PROGRAM }, 'gzip');
    await install();
    t.equal(text('bin/game'), PROGRAM, 'the next start installs it');
    t.equal(text('world'), 'mine');
  });

t.test('no step follows a link that leads out of the folder', async (t) => {
  const outside = temporaryFolder(t);
  writeFileSync(path.join(outside, 'game'), PROGRAM);
  const { base } = await serveFiles(t, {
    '/bin': Buffer.from(PROGRAM),
    '/a': tarOf(t, { 'out/game': PROGRAM }, 'gzip'),
  });
  const steps: InstallStep[] = [
    { type: 'download', url: `${base}/bin`, target: 'out/new' },
    { type: 'unpack', file: 'a.tgz' },
    { type: 'unpack', file: 'a.tgz', to: 'out' },
    { type: 'unpack', file: 'out/game' },
    { type: 'move', from: 'mine', to: 'out/mine' },
    { type: 'move', from: 'out/game', to: 'bin/game' },
    { type: 'mkdir', folder: 'out/new' },
    { type: 'write', file: 'out/new', text: 'x' },
    { type: 'chmod', files: ['out/game'] },
    { type: 'chmod', files: ['link'] },
    { type: 'run', program: 'out/game', args: [] },
    { type: 'run', program: './link', args: [] },
    { type: 'run', program: 'true', args: [], creates: 'out/game' },
    { type: 'steam', appId: 1, to: 'out/steam' },
  ];
  const { at, install, setSteps } = await world(t, [{ type: 'mkdir', folder: 'x' }]);
  put(at(''), { mine: 'mine' });
  symlinkSync(outside, at('out'));
  symlinkSync(path.join(outside, 'game'), at('link'));
  writeFileSync(at('a.tgz'), tarOf(t, { 'out/game': 'replaced' }, 'gzip'));
  const before = statSync(path.join(outside, 'game')).mode;
  for (const step of steps) {
    setSteps([step]);
    await t.rejects(install(), { message: /link|There is no program|does not have SteamCMD/ }, JSON.stringify(step));
  }
  t.same(readdirSync(outside), ['game']);
  t.equal(readFileSync(path.join(outside, 'game'), 'utf8'), PROGRAM);
  t.equal(statSync(path.join(outside, 'game')).mode, before);
  t.equal(readFileSync(at('mine'), 'utf8'), 'mine');
});

t.test('a step that fails names what failed, and the next start begins again', async (t) => {
  const { at, install, setSteps, text } = await world(t, [
    { type: 'write', file: 'bin/game', text: PROGRAM },
    { type: 'run', program: 'sh', args: ['-c', 'echo no licence >&2; exit 3'] },
  ]);
  await t.rejects(install(), {
    code: 'installation_failed',
    message: /The program sh of the installation failed: it ended with exit code 3\. Its last output: no licence/,
  });
  setSteps([{ type: 'run', program: 'sh', args: ['-c', 'sleep 600'], timeoutSeconds: 1 }]);
  await t.rejects(install(), { message: /it did not finish in time/ });
  setSteps([{ type: 'run', program: 'no-such-program', args: [] }]);
  await t.rejects(install(), { message: /does not have no-such-program/, resolution: /Install no-such-program/ });
  setSteps([{ type: 'run', program: 'true', args: [], creates: 'world' }]);
  await t.rejects(install(), { message: /did not create "world"/ });
  setSteps([{ type: 'move', from: 'nothing', to: 'x' }]);
  await t.rejects(install(), { message: /There is no "nothing" to move/ });
  setSteps([{ type: 'chmod', files: ['nothing'] }]);
  await t.rejects(install(), { message: /There is no "nothing" to make executable/ });
  rmSync(at('bin'), { recursive: true });
  setSteps([{ type: 'mkdir', folder: 'x' }]);
  await t.rejects(install(), { message: /the program to start is missing/ });
  mkdirSync(at('y'));
  setSteps([
    { type: 'write', file: 'y', text: 'x' },
    { type: 'write', file: 'bin/game', text: PROGRAM },
  ]);
  await install();
  t.equal(text('bin/game'), PROGRAM);
});

t.test('what is on the way of an archive is reported', async (t) => {
  const { base } = await serveFiles(t, { '/a': tarOf(t, { 'bin/game': PROGRAM, data: 'x' }, 'gzip') });
  const { at, install } = await world(t, [
    { type: 'download', url: `${base}/a`, target: 'a.tgz' },
    { type: 'unpack', file: 'a.tgz' },
  ]);
  put(at(''), { 'data/mine': 'mine' });
  await t.rejects(install(), {
    message: /"data" is a folder, but the game has a file there/,
    resolution: /Move what is there away/,
  });
  t.equal(readFileSync(at('data/mine'), 'utf8'), 'mine');
});
