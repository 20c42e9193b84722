import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { DaemonInfo } from '../../shared/contract/daemon.ts';
import { freePort } from '../support/free-port.ts';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { processesOf } from '../support/leftovers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Another version's folder: this one's programs, elsewhere. */
function otherVersion(t: Test): string {
  const folder = join(temporaryFolder(t), 'other version');
  mkdirSync(folder);
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (source) => !source.endsWith('.map') && !source.endsWith('.cache'),
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** A systemctl on the PATH that starts what the unit says, and a folder for units. */
function fakeSystemd(t: Test): { unit: string } {
  const folder = temporaryFolder(t);
  const unit = join(folder, 'systemd/user/gamekeeper.service');
  const script = `#!/bin/sh
case "$*" in
  *is-system-running*) echo running;;
  *is-active*) kill -0 "$(cat ${folder}/pid)" 2>/dev/null;;
  *restart*)
    eval "setsid $(sed -n 's/^ExecStart=":/"/p' ${unit}) >${folder}/log 2>&1 &"
    echo $! > ${folder}/pid;;
esac
`;
  writeFileSync(join(folder, 'systemctl'), script, { mode: 0o755 });
  const { PATH, XDG_CONFIG_HOME } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  process.env.XDG_CONFIG_HOME = folder;
  t.teardown(() => {
    process.env.PATH = PATH;
    if (XDG_CONFIG_HOME === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME;
  });
  return { unit };
}

async function withRunningServer(t: Test) {
  const gamekeeper = await startGamekeeper(t, { settings: { remoteControl: { panelPort: 0, port: 0 } } });
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const pidOf = (program: string) =>
    processesOf(gamekeeper.home).flatMap(({ pid, command }) => (command.includes(program) ? [pid] : []));
  const status = async () => JSON.parse((await gamekeeper.cli('status', '--json')).stdout) as Required<DaemonInfo>;
  return {
    gamekeeper,
    pidOf,
    status,
    before: { game: pidOf('workers/demo'), supervisor: pidOf('workers/supervisor') },
  };
}

t.test('another version takes over, and the game does not notice', async (t) => {
  const folder = otherVersion(t);
  const { gamekeeper, pidOf, status, before } = await withRunningServer(t);
  t.equal(before.game.length, 1);

  const dry = await gamekeeper.cli('upgrade', folder, '--dry-run', '--json');
  t.match(dry, { code: 0 });
  t.match(JSON.parse(dry.stdout), { servers: ['demo'], migratesDatabase: false, runsAs: 'background' });
  t.equal((await status()).pid, gamekeeper.pid());

  const done = await gamekeeper.cli('upgrade', folder);
  t.match(done, { code: 0, stdout: /runs \(pid \d+\) and looks after Demo/, stderr: /These servers go on: Demo/ });
  const now = await status();
  t.not(now.pid, gamekeeper.pid());
  t.match(now.program[1], join(folder, 'dist/daemon/main.js'));
  t.same({ game: pidOf('workers/demo'), supervisor: pidOf('workers/supervisor') }, before);
  t.match(await gamekeeper.cli('exec', 'demo', 'list'), { code: 0, stdout: /There are 0 of a max/ });
  const copy = join(gamekeeper.home, 'gamekeeper.db.before-upgrade');
  t.equal(statSync(copy).mode & 0o777, 0o600);
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});

t.test('a version that does not start gives way to the one before', async (t) => {
  const folder = otherVersion(t);
  writeFileSync(join(folder, 'dist/gateway/main.js'), 'process.exit(1)');
  const { gamekeeper, pidOf, status, before } = await withRunningServer(t);
  const { program } = await status();

  const failed = await gamekeeper.cli('upgrade', folder);
  t.match(failed, { code: 1, stderr: /did not take over.*The version before runs again\. Servers go on\./s });
  t.same((await status()).program, program);
  t.same({ game: pidOf('workers/demo'), supervisor: pidOf('workers/supervisor') }, before);
  t.match(await gamekeeper.cli('exec', 'demo', 'list'), { code: 0, stdout: /There are 0 of a max/ });
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});

t.test('a version that could not look after the servers does not begin', async (t) => {
  const folder = otherVersion(t);
  const { gamekeeper, status, before, pidOf } = await withRunningServer(t);
  const says = { version: '9.0.0', supervisors: { oldest: 7, newest: 9 }, schema: 1 };
  writeFileSync(join(folder, 'dist/daemon/main.js'), `console.log(${JSON.stringify(JSON.stringify(says))})`);
  t.match(await gamekeeper.cli('upgrade', folder), {
    code: 1,
    stderr: /supervisor of Demo speaks protocol \d+, and 9\.0\.0 only 7 to 9: stop.*written by a newer version/s,
  });
  writeFileSync(join(folder, 'dist/daemon/main.js'), 'process.exit(2)');
  t.match(await gamekeeper.cli('upgrade', folder), { code: 1, stderr: /too old, or broken/ });
  t.match(await gamekeeper.cli('upgrade', '/nowhere'), { code: 1, stderr: /no built Gamekeeper in \/nowhere/ });
  t.equal((await status()).pid, gamekeeper.pid());
  t.same(pidOf('workers/demo'), before.game);
});

t.test('a service goes on as a service, in the other version or in the one before', async (t) => {
  const { unit } = fakeSystemd(t);
  const [good, bad] = [otherVersion(t), otherVersion(t)];
  writeFileSync(join(bad, 'dist/gateway/main.js'), 'process.exit(1)');
  const { gamekeeper, before, pidOf } = await withRunningServer(t);
  await gamekeeper.endDaemon('SIGTERM');
  t.match(await gamekeeper.cli('service', 'install', '--stop-seconds', '33'), { code: 0 });
  await until('the service is ready', () => existsSync(join(gamekeeper.home, 'run/daemon.json')));

  t.match(await gamekeeper.cli('upgrade', good, '--json'), { code: 0, stdout: /"runsAs":"service"/ });
  const moved = readFileSync(unit, 'utf8');
  t.match(moved, `"${join(good, 'dist/daemon/main.js')}"`);
  t.match(moved, 'TimeoutStopSec=33', 'with what it was given');
  t.match(await gamekeeper.cli('upgrade', bad), { code: 1, stderr: /The version before runs again/ });
  t.equal(readFileSync(unit, 'utf8'), moved);
  t.same(pidOf('workers/demo'), before.game);
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});
