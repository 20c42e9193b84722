import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { mustRun } from '../../daemon/cli/service/run-command.ts';
import { writeService } from '../../daemon/cli/service/service-file.ts';
import { servicePlan } from '../../daemon/cli/service/service-plan.ts';
import { type Candidate, candidateIn, type DaemonProgram } from '../../daemon/cli/upgrade/candidate.ts';
import { runnerOf } from '../../daemon/cli/upgrade/find-runner.ts';
import { handOver } from '../../daemon/cli/upgrade/hand-over.ts';
import type { DaemonInfo } from '../../shared/contract/daemon.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { otherVersion } from '../support/processes/other-version.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Puts a systemctl on the PATH that starts the unit's command, and creates a folder for units of users or of the machine. */
function fakeSystemd(t: Test, units = 'systemd/user'): { unit: string } {
  const folder = temporaryFolder(t);
  const unit = join(folder, units, 'gamekeeper.service');
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

t.test('another version takes over while the game keeps running', async (t) => {
  const folder = otherVersion(t);
  const { gamekeeper, pidOf, status, before } = await withRunningServer(t);
  t.equal(before.game.length, 1);

  const dry = await gamekeeper.cli('upgrade', folder, '--dry-run', '--json');
  t.match(dry, { code: 0 });
  t.match(JSON.parse(dry.stdout), { servers: ['demo'], migratesDatabase: false, runsAs: 'background' });
  t.equal((await status()).pid, gamekeeper.pid());

  const done = await gamekeeper.cli('upgrade', folder);
  t.match(done, {
    code: 0,
    stdout: /is running \(pid \d+\) and has reattached to Demo/,
    stderr: /These servers keep running: Demo/,
  });
  const now = await status();
  t.not(now.pid, gamekeeper.pid());
  t.match(now.program[1], join(folder, 'dist/daemon/main.js'));
  t.same({ game: pidOf('workers/demo'), supervisor: pidOf('workers/supervisor') }, before);
  t.match(await gamekeeper.cli('exec', 'demo', 'list'), { code: 0, stdout: /There are 0 of a max/ });
  const copy = join(gamekeeper.home, 'gamekeeper.db.before-upgrade');
  t.equal(statSync(copy).mode & 0o777, 0o600);
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});

t.test('an upgrade to a version that does not start is rolled back', async (t) => {
  const folder = otherVersion(t);
  writeFileSync(join(folder, 'dist/gateway/main.js'), 'process.exit(1)');
  const { gamekeeper, pidOf, status, before } = await withRunningServer(t);
  const { program } = await status();

  const failed = await gamekeeper.cli('upgrade', folder);
  t.match(failed, {
    code: 1,
    stderr: /did not take over.*The former version runs again\. The servers keep running\./s,
  });
  t.same((await status()).program, program);
  t.same({ game: pidOf('workers/demo'), supervisor: pidOf('workers/supervisor') }, before);
  t.match(await gamekeeper.cli('exec', 'demo', 'list'), { code: 0, stdout: /There are 0 of a max/ });
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});

t.test('an upgrade to a version whose jobs process fails is rolled back with its database changes', async (t) => {
  const folder = otherVersion(t);
  const { gamekeeper, pidOf, status, before } = await withRunningServer(t);
  const { program } = await status();
  const backUp = () => gamekeeper.api('POST', '/instances/demo/backup');
  t.match(await backUp(), { status: 200 });
  writeFileSync(
    join(folder, 'dist/workers/jobs/main.js'),
    `import { DatabaseSync } from 'node:sqlite';
    new DatabaseSync(process.argv.at(-1) + '/gamekeeper.db').exec('UPDATE backup_schema SET steps = steps + 1');
    process.exit(1);`,
  );
  const failed = await gamekeeper.cli('upgrade', folder);
  t.match(failed, { code: 1, stderr: /did not take over: The jobs process.*The former version runs again/s });
  t.same((await status()).program, program);
  t.same({ game: pidOf('workers/demo'), supervisor: pidOf('workers/supervisor') }, before);
  t.match(await backUp(), { status: 200 });
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});

t.test('an upgrade to a version that cannot supervise the running servers is refused', async (t) => {
  const folder = otherVersion(t);
  const { gamekeeper, status, before, pidOf } = await withRunningServer(t);
  const says = { version: '9.0.0', supervisors: { oldest: 7, newest: 9 }, schema: 1, jobsSchema: 1 };
  writeFileSync(join(folder, 'dist/daemon/main.js'), `console.log(${JSON.stringify(JSON.stringify(says))})`);
  t.match(await gamekeeper.cli('upgrade', folder), {
    code: 1,
    stderr: /supervisor of Demo speaks protocol \d+, and 9\.0\.0 only 7 to 9\. Stop.*written by a newer version/s,
  });
  writeFileSync(join(folder, 'dist/daemon/main.js'), 'process.exit(2)');
  t.match(await gamekeeper.cli('upgrade', folder), { code: 1, stderr: /too old, or broken/ });
  t.match(await gamekeeper.cli('upgrade', '/nowhere'), { code: 1, stderr: /no built Gamekeeper in \/nowhere/ });
  t.equal((await status()).pid, gamekeeper.pid());
  t.same(pidOf('workers/demo'), before.game);
});

t.test('a service stays a service after an upgrade and after a rollback', async (t) => {
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
  t.match(moved, 'TimeoutStopSec=33', 'with the same settings');
  t.match(await gamekeeper.cli('upgrade', bad), { code: 1, stderr: /The former version runs again/ });
  t.equal(readFileSync(unit, 'utf8'), moved);
  t.same(pidOf('workers/demo'), before.game);
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});

t.test('only root upgrades and rolls back a system service', async (t) => {
  const { unit } = fakeSystemd(t, 'system');
  const { username: name, homedir: folder } = userInfo();
  const root = { platform: 'linux', name, uid: 0, folder, env: process.env, machineUnits: dirname(unit) } as const;
  const [good, bad] = [otherVersion(t), otherVersion(t)];
  writeFileSync(join(bad, 'dist/gateway/main.js'), 'process.exit(1)');
  const { gamekeeper, before, pidOf, status } = await withRunningServer(t);
  const home = homeAt(gamekeeper.home);
  await gamekeeper.endDaemon('SIGTERM');
  const plan = servicePlan(root, 'games');
  const installed = await candidateIn(ROOT);
  await writeService(
    plan,
    plan.content({ ...installed, home: home.root, stopSeconds: 44, path: undefined, growingPauses: false }),
  );
  for (const line of plan.start) await mustRun(line);
  await until('the service is ready', () => existsSync(home.daemonRecord));

  const { pid } = await status();
  const daemon = { home, pid, commandLine: '/opt/gamekeeper upgrade' };
  t.match(await runnerOf(daemon, { ...root, uid: 1000 }), {
    kind: 'service',
    obstacle: /: sudo \/opt\/gamekeeper upgrade$/,
  });
  const runner = await runnerOf(daemon, root);
  t.match(runner, { kind: 'service', log: /^journalctl --identifier=gamekeeper$/, obstacle: undefined });
  const handOverTo = async (next: Candidate) =>
    handOver({
      home,
      runner,
      next,
      former: programOf((await status()).program),
      running: ['demo'],
      note: () => undefined,
    });
  t.not((await handOverTo(await candidateIn(good))).pid, pid);
  const moved = readFileSync(unit, 'utf8');
  t.match(moved, `"${join(good, 'dist/daemon/main.js')}"`);
  t.match(moved, /^User=games$.*^TimeoutStopSec=44$/ms, 'with the same settings');
  t.notMatch(moved, 'PATH=');
  await t.rejects(handOverTo(await candidateIn(bad)), {
    message: /The former version runs again\. The servers keep running/,
  });
  t.equal(readFileSync(unit, 'utf8'), moved);
  t.same({ game: pidOf('workers/demo'), supervisor: pidOf('workers/supervisor') }, before);
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
});

function programOf([node, entry]: readonly [node: string, entry: string]): DaemonProgram {
  return { node, entry };
}
