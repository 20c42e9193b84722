import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { InstallStep } from '../../../../../shared/domain/software/definition.ts';
import { identifyProcess } from '../../../../../shared/node/processes/process-identity.ts';
import { instanceConfig } from '../../../../support/jobs/fake-peers.ts';
import { killProcess, setup, startProcess } from '../../../../support/jobs/start-process.ts';
import { startTestJobs } from '../../../../support/jobs/test-jobs.ts';
import { requireRoot } from '../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { kindOf, put, standInSteamCmd } from './steps-world.ts';

const PROGRAM = '#!/bin/sh\necho ready\n';
const APP = { 'bin/game': PROGRAM, 'data/vendor.cfg': 'vendor' };

async function world(t: Test, steps: readonly InstallStep[] = [{ type: 'steam', appId: 4711, beta: '{version}' }]) {
  const jobs = await startTestJobs(t, { instances: [] });
  const add = (id: string, version = 'public') => {
    const config = instanceConfig(jobs.home, id, { software: 'game', version });
    jobs.daemon.instances.set(id, { config, runtime: { phase: 'provisioning' }, socket: null });
  };
  add('game');
  jobs.daemon.kinds = [kindOf(steps, { defaultVersion: 'public' })];
  const directory = jobs.home.instanceDirectory('game');
  const install = async (id = 'game', signal = new AbortController().signal) => {
    const lines: string[] = [];
    for await (const step of jobs.call.provision(id, { signal })) if ('progress' in step) lines.push(step.progress);
    return lines;
  };
  return { jobs, directory, add, install };
}

const callsIn = (folder: string) =>
  existsSync(path.join(folder, 'called')) ? readFileSync(path.join(folder, 'called'), 'utf8').trim().split('\n') : [];

t.test('an app is installed as Valve describes, with a home of its own', async (t) => {
  const steamCmd = standInSteamCmd(t, { 4711: APP, 1007: { 'linux64/steamclient.so': 'library' } });
  const { jobs, directory, install } = await world(t, [
    { type: 'steam', appId: 4711, beta: '{version}' },
    { type: 'steam', appId: 1007, to: 'steamworks' },
    { type: 'move', from: 'steamworks/linux64/steamclient.so', to: '.steam/sdk64/steamclient.so' },
  ]);
  put(directory, { 'saves/world': 'mine' });
  const lines = await install();
  const home = path.join(jobs.home.cache, 'steamcmd');
  t.same(callsIn(steamCmd), [
    `${home}|+force_install_dir ${directory} +login anonymous +app_update 4711 -beta public validate +quit`,
    `${home}|+force_install_dir ${directory}/steamworks +login anonymous +app_update 1007 validate +quit`,
  ]);
  t.equal(readFileSync(path.join(directory, 'bin/game'), 'utf8'), PROGRAM);
  t.equal(readFileSync(path.join(directory, '.steam/sdk64/steamclient.so'), 'utf8'), 'library');
  t.equal(readFileSync(path.join(directory, 'saves/world'), 'utf8'), 'mine');
  t.match(lines.join('\n'), /SteamCMD: Success! App '4711' fully installed\./);
  t.equal(lines.filter((line) => line.includes('progress: ')).length, 6, 'one line for each tenth, of both apps');
  t.same(await install(), []);
});

t.test('for a server with a user of its own, SteamCMD and other programs run as that user', async (t) => {
  if (!requireRoot(t)) return;
  const steamCmd = standInSteamCmd(t, { 4711: APP });
  const { jobs, directory, install } = await world(t, [
    { type: 'steam', appId: 4711 },
    { type: 'run', program: 'sh', args: ['-c', 'id -un > who; echo "$HOME" > home'] },
  ]);
  const { config } = jobs.daemon.instances.get('game')!;
  jobs.daemon.instances.get('game')!.config = { ...config, runAs: 'games' };
  for (const folder of [steamCmd, jobs.home.root, jobs.home.instances]) chmodSync(folder, 0o777);
  await install();
  t.match(callsIn(steamCmd), [`${directory}|+force_install_dir ${directory} `]);
  t.equal(readFileSync(path.join(directory, 'who'), 'utf8'), 'games\n');
  t.equal(readFileSync(path.join(directory, 'home'), 'utf8'), `${directory}\n`);
  const { uid } = statSync(path.join(directory, 'who'));
  for (const name of ['.', 'bin/game', 'data/vendor.cfg']) t.equal(statSync(path.join(directory, name)).uid, uid, name);
});

t.test('another version is another branch, and "latest" updates', async (t) => {
  const steamCmd = standInSteamCmd(t, { 4711: APP });
  const { jobs, add, install } = await world(t);
  add('game', 'experimental');
  await install();
  t.match(callsIn(steamCmd).at(-1), '+app_update 4711 -beta experimental validate +quit');
  add('game', 'latest');
  await install();
  t.match(callsIn(steamCmd).at(-1), '+app_update 4711 -beta public validate +quit');
  t.equal(jobs.daemon.instances.get('game')!.config.version, 'public');
  add('game', '-beta; x');
  await t.rejects(install(), { message: /is not the name of a branch on Steam/ });
  t.equal(callsIn(steamCmd).length, 2);
});

t.test('without SteamCMD, the error says how to get it', async (t) => {
  const before = process.env.PATH;
  process.env.PATH = temporaryFolder(t);
  t.teardown(() => {
    process.env.PATH = before;
  });
  const { install } = await world(t);
  await t.rejects(install(), {
    code: 'installation_failed',
    message: /does not have SteamCMD, which installs Game/,
    resolution: /Debian package steamcmd.*non-free/,
  });
});

t.test('what SteamCMD reports is quoted, whatever its exit code', async (t) => {
  const steamCmd = standInSteamCmd(t, { 4711: APP });
  const { directory, install } = await world(t);
  const reports = [
    ["Error! App '4711' state is 0x202 after update job.", /Free disk space/],
    ["ERROR! Failed to install app '4711' (No subscription)", /without an account/],
    ["ERROR! Failed to install app '4711' (Invalid platform)", /start the server again/],
  ] as const;
  for (const [says, resolution] of reports) {
    writeFileSync(path.join(steamCmd, 'says'), says);
    await t.rejects(install(), {
      code: 'installation_failed',
      message: `SteamCMD could not install app 4711: ${says}`,
      resolution,
    });
    t.notOk(existsSync(path.join(directory, 'bin')));
  }
  writeFileSync(path.join(steamCmd, 'says'), "Success! App '471' fully installed.");
  await t.rejects(install(), { message: /ended with exit code 8/ }, 'another app does not count');
  t.comment('the first run after an update of SteamCMD itself');
  writeFileSync(path.join(steamCmd, 'says'), "ERROR! Failed to install app '4711' (Missing configuration)");
  await install();
  t.equal(readFileSync(path.join(directory, 'bin/game'), 'utf8'), PROGRAM);
});

t.test('only one SteamCMD runs at a time', async (t) => {
  const steamCmd = standInSteamCmd(t, { 4711: APP });
  const { add, install } = await world(t);
  add('other');
  writeFileSync(path.join(steamCmd, 'waits'), '');
  const first = install().catch(() => undefined);
  const child = await until('the first one runs', () => childIn(steamCmd));
  const second = install('other');
  rmSync(path.join(steamCmd, 'waits'));
  process.kill(child, 'SIGKILL');
  await first;
  t.match((await second).join('\n'), /Waiting for another installation by SteamCMD/);
});

t.test('a start that is cancelled ends SteamCMD with everything that it started', async (t) => {
  const steamCmd = standInSteamCmd(t, { 4711: APP });
  const { directory, install } = await world(t);
  put(directory, { 'saves/world': 'mine' });
  writeFileSync(path.join(steamCmd, 'waits'), '');
  const cancelled = new AbortController();
  const installing = install('game', cancelled.signal);
  const child = await until('its child runs', () => childIn(steamCmd));
  cancelled.abort();
  await installing.catch(() => undefined);
  await until('its child has ended', async () => (await identifyProcess(child)) === undefined);
  rmSync(path.join(steamCmd, 'waits'));
  await install();
  t.equal(readFileSync(path.join(directory, 'bin/game'), 'utf8'), PROGRAM);
  t.equal(readFileSync(path.join(directory, 'saves/world'), 'utf8'), 'mine');
});

t.test('jobs that are killed in the middle leave nothing running, and the next start installs', async (t) => {
  const steamCmd = standInSteamCmd(t, { 4711: APP });
  const { home, daemon } = await setup(t);
  daemon.kinds = [kindOf([{ type: 'steam', appId: 4711 }])];
  const config = instanceConfig(home, 'survival', { software: 'game', version: 'stable' });
  daemon.instances.set('survival', { config, runtime: { phase: 'provisioning' }, socket: null });
  put(config.directory, { 'saves/world': 'mine', 'bin/game': 'half of it' });
  writeFileSync(path.join(steamCmd, 'waits'), '');
  const first = await startProcess(t, home);
  const following = (async () => {
    for await (const _ of first.call.provision('survival'));
  })().catch(() => undefined);
  const child = await until('its child runs', () => childIn(steamCmd));
  await killProcess(first);
  await following;
  rmSync(path.join(steamCmd, 'waits'));
  const second = await startProcess(t, home);
  t.equal(await identifyProcess(child), undefined, 'ended before jobs are ready');
  for await (const _ of second.call.provision('survival'));
  t.equal(readFileSync(path.join(config.directory, 'bin/game'), 'utf8'), PROGRAM);
  t.equal(readFileSync(path.join(config.directory, 'saves/world'), 'utf8'), 'mine');
});

t.test('a folder for an app that is a link is refused', async (t) => {
  const steamCmd = standInSteamCmd(t, { 4711: APP });
  const { directory, install } = await world(t, [{ type: 'steam', appId: 4711, to: 'out' }]);
  const outside = temporaryFolder(t);
  put(directory, {});
  symlinkSync(outside, path.join(directory, 'out'));
  await t.rejects(install(), {
    code: 'installation_failed',
    message: /Step 1 \(install Steam app 4711\) failed: a link/,
  });
  t.same(readdirSync(outside), []);
  t.same(callsIn(steamCmd), []);
});

function childIn(steamCmd: string): number | undefined {
  const file = path.join(steamCmd, 'child');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
}
