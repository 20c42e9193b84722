import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { gamekeeper } from '../fake-gateway.ts';

/** Writes the records of a ready daemon: this process holds the data directory and serves. */
async function readyRecords(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'daemon.lock'), JSON.stringify(await identifyProcess(process.pid)));
  const record = { pid: process.pid, version: '1.0.0', panel: 'http://127.0.0.1:1', remote: null };
  writeFileSync(path.join(folder, 'daemon.json'), JSON.stringify(record));
}

/** Programs of systemd that record their calls. The service runs while the file `active` exists. */
async function fakeSystemd(t: Test, { state = 'running', starts = true, version = 252 } = {}) {
  const folder = temporaryFolder(t);
  const calls = path.join(folder, 'calls');
  const active = path.join(folder, 'active');
  const home = homeAt(path.join(folder, 'data directory'));
  await readyRecords(path.join(folder, 'ready'));
  const script = `#!/bin/sh
case "$*" in
  --version) echo "systemd ${version} (${version}.1-1)"; exit;;
  *is-system-running*) echo ${state}; exit 1;;
  *is-active*) test -e "${active}"; exit;;
  *restart*) ${starts ? `touch "${active}"; mkdir -p "${home.run}"; cp "${folder}"/ready/* "${home.run}"` : ':'};;
  *disable*) rm -f "${active}" "${home.run}"/*;;
  *identifier*) echo "The folder cannot be used."; echo "Make it writable."; echo "The folder cannot be used."; exit;;
  *show-user*) echo no; exit;;
esac
echo "\${0##*/} $*" >> "${calls}"
`;
  for (const program of ['systemctl', 'loginctl', 'journalctl'])
    writeFileSync(path.join(folder, program), script, { mode: 0o755 });
  const unit = path.join(folder, 'config/systemd/user/gamekeeper.service');
  const env = { PATH: `${folder}:/usr/bin:/bin`, XDG_CONFIG_HOME: path.join(folder, 'config') };
  return {
    home,
    unit,
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
    env,
    cli: (...args: string[]) => gamekeeper(home, ['service', ...args], { env }),
  };
}

t.test('install, install again, status, uninstall', async (t) => {
  const { cli, unit, calls, home, env } = await fakeSystemd(t);
  t.match(await cli('status', '--json'), { code: 0, stdout: /"installed":false,"active":false/ });
  const first = await cli('install');
  t.match(first, {
    code: 0,
    stdout: /installed .* and running: http:\/\/127\.0\.0\.1:1/,
    stderr: /loginctl enable-linger/,
  });
  t.match(first.stderr, 'journalctl --user --identifier=gamekeeper', 'names the command that shows the first password');
  const started = ['daemon-reload', 'enable gamekeeper.service', 'restart gamekeeper.service'];
  t.same(
    calls(),
    started.map((call) => `systemctl --user ${call}`),
  );
  const content = readFileSync(unit, 'utf8');
  t.match(content, `"--home" "${home.root}"`);
  t.match(content, process.execPath);
  t.notMatch(content, 'node_modules/.bin');

  t.match(await cli('install'), { code: 0 });
  t.equal(calls().filter((call) => call.includes('restart')).length, 1, 'an unchanged service is not restarted');
  t.match(await cli('install', '--stop-seconds', '30', '--linger'), { code: 0 });
  t.match(readFileSync(unit, 'utf8'), 'TimeoutStopSec=30');
  const withPort = { env: { ...env, GAMEKEEPER_PORT: '1234' } };
  t.match(await gamekeeper(home, ['service', 'install', '--stop-seconds', '30'], withPort), {
    stderr: /does not use GAMEKEEPER_PORT from this shell/,
  });
  t.equal(calls().filter((call) => call.includes('restart')).length, 2);
  t.ok(calls().includes('loginctl enable-linger'));
  t.match(await cli('status', '--json'), { code: 0, stdout: /"installed":true,"active":true/ });

  t.match(await cli('install', '--stop-seconds', '300'), { code: 0, stderr: /after 120 s.*TimeoutStopSec=/ });

  t.match(await cli('install', '--home', '/elsewhere'), { code: 1, stderr: /another data directory/ });
  t.match(await cli('uninstall'), { code: 0, stdout: /The servers keep running/ });
  t.notOk(existsSync(unit));
  t.same(calls().slice(-2), ['systemctl --user disable --now gamekeeper.service', 'systemctl --user daemon-reload']);
  t.match(await cli('uninstall'), { code: 0, stdout: /not installed/ });
});

t.test('a file that Gamekeeper did not write is left alone', async (t) => {
  const { cli, unit, calls } = await fakeSystemd(t);
  mkdirSync(path.dirname(unit), { recursive: true });
  writeFileSync(unit, '[Service]\nExecStart=/bin/true\n');
  for (const action of ['install', 'uninstall'])
    t.match(await cli(action), { code: 1, stderr: /not written by Gamekeeper/ });
  t.match(readFileSync(unit, 'utf8'), '/bin/true');
  t.same(calls(), []);
  t.match(await cli('install', '--force'), { code: 0 });
  t.match(readFileSync(unit, 'utf8'), 'KillMode=process');
});

t.test('the unit uses only what the installed systemd supports', async (t) => {
  const { cli: install252 } = await fakeSystemd(t);
  t.notMatch((await install252('install', '--print')).stdout, 'RestartSteps=');
  const { cli: install254 } = await fakeSystemd(t, { version: 254 });
  t.match((await install254('install', '--print')).stdout, 'RestartSteps=');
});

t.test('--print changes nothing', async (t) => {
  const { cli, unit, calls } = await fakeSystemd(t, { state: 'offline' });
  for (const option of ['--print', '--dry-run'])
    t.match(await cli('install', option), { code: 0, stdout: /ExecStart=.*\$ systemctl --user enable/s });
  t.match(await cli('install', '--print', '--system', '--user', 'games'), {
    code: 0,
    stdout: /\/etc\/systemd\/system\/gamekeeper.service.*User=games/s,
  });
  t.same(calls(), []);
  t.notOk(existsSync(unit));
});

t.test('a missing systemd and wrong options are reported', async (t) => {
  t.match(await (await fakeSystemd(t, { state: 'offline' })).cli('install'), {
    code: 1,
    stderr: /does not run systemd/,
  });
  t.match(await (await fakeSystemd(t, { state: '' })).cli('install'), {
    code: 1,
    stderr: /cannot be reached.*--system/s,
  });
  t.match(await (await fakeSystemd(t)).cli('install', '--user', 'x'), { code: 2, stderr: /only with --system/ });
  t.match(await (await fakeSystemd(t)).cli('install', '--stop-seconds', 'soon'), {
    code: 2,
    stderr: /number of seconds/,
  });
});

t.test('the service is not started while Gamekeeper runs in a terminal', async (t) => {
  const { cli, home, calls } = await fakeSystemd(t);
  mkdirSync(home.run, { recursive: true });
  writeFileSync(home.daemonLock, JSON.stringify(await identifyProcess(process.pid)));
  t.match(await cli('install'), {
    code: 0,
    stdout: new RegExp(`already running \\(pid ${process.pid}\\).*gamekeeper down`, 's'),
  });
  t.notOk(calls().some((call) => call.includes('restart')));
});

t.test('a service that does not get ready is reported with its own messages', async (t) => {
  const { cli, unit } = await fakeSystemd(t, { starts: false });
  const { code, stdout, stderr } = await cli('install');
  t.equal(code, 1);
  t.equal(stdout, '');
  t.match(
    stderr,
    /is not running: it exited during its start\.\n {2}The folder cannot be used\.\n {2}Make it writable\.\nSolve the problem/,
  );
  t.ok(existsSync(unit), 'the unit exists');
});

t.test('status and uninstall of a system service do not need --user', async (t) => {
  const { cli } = await fakeSystemd(t);
  t.match(await cli('status', '--system'), { code: 0, stdout: /not installed/ });
  t.match(await cli('uninstall', '--system'), { code: 0, stdout: /not installed/ });
  t.match(await cli('install', '--system', '--home', '/srv/gk'), { code: 2, stderr: /--user <name>/ });
});

t.test('a system service needs a data directory that its user can write to', async (t) => {
  const { cli, home } = await fakeSystemd(t);
  const install = (...args: string[]) => cli('install', '--system', ...args);
  if (process.getuid?.() !== 0) {
    t.match(await install('--home', home.root, '--user', 'nobody'), { code: 1, stderr: /installed by root: sudo/ });
    return;
  }
  t.match(await install('--home', home.root, '--user', 'no-such-user'), { code: 1, stderr: /no user "no-such-user"/ });
  mkdirSync(home.root);
  t.match(await install('--home', home.root, '--user', 'nobody'), {
    code: 1,
    stderr: new RegExp(`nobody must be able to write to it.*chown -R nobody '${home.root}'`),
  });
});
