/**
 * `npm run systemd`: installs Gamekeeper as a service on a machine booted with real systemd, and checks that servers survive restarts and
 * crashes of the daemon, and that worlds are saved at the end of the user's sessions and at shutdown. Needs root and Debian's
 * systemd-container.
 */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isOnPath } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { bootMachine, INSTALLED, OTHER } from './machine.ts';
import { checkProxyService } from './proxy-service.ts';

const CLI = `${INSTALLED}/node_modules/node/bin/node ${INSTALLED}/dist/daemon/cli/main.js`;
const OWN_HOME = '/home/steve/.local/share/gamekeeper';
const MACHINE_HOME = '/srv/games';

if (process.getuid?.() !== 0 || !isOnPath('systemd-nspawn')) {
  process.stderr.write('This needs root and systemd-nspawn (Debian: apt-get install systemd-container).\n');
  process.exit(2);
}

await using machine = await bootMachine();
await step('a user installs the service and reads its address', async () => {
  await machine.run('root', 'useradd --create-home steve');
  await machine.run('root', 'loginctl enable-linger steve');
  await until('systemd runs for the user', () =>
    machine.run('steve', 'systemctl --user is-system-running').then(
      (state) => state === 'running',
      () => false, // It has not started yet.
    ),
  );
  assert.match(await machine.run('steve', `${CLI} service install`), /and runs: http:\/\/127\.0\.0\.1:\d+\.$/);
  assert.match(await machine.run('steve', 'journalctl --user --identifier=gamekeeper'), /password {2}\S+-\S+/);
  assert.match(await machine.run('steve', `${CLI} service status`), /and runs\.$/);
});
await step('a supervisor and its server run in their own scope', async () => {
  await startDemo('steve', OWN_HOME);
  const cgroup = await machine.run('root', `cat /proc/${await gameOf(OWN_HOME)}/cgroup`);
  assert.match(cgroup, /\/gamekeeper-server-[\w-]+\.scope$/m);
  assert.doesNotMatch(cgroup, /gamekeeper\.service/);
});
await step('the server survives a restart of the unit and a kill of the daemon', () =>
  keepsGoing('steve', OWN_HOME, 'systemctl --user'),
);
await step('an upgrade moves the service while the server keeps running', () =>
  isUpgraded('steve', OWN_HOME, 'systemctl --user'),
);
await step('the end of all sessions of the user saves the world', async () => {
  await machine.run('root', 'systemctl stop "user@$(id -u steve).service"');
  assertSaved(OWN_HOME);
  await machine.run('root', 'loginctl disable-linger steve');
});
await step('the proxy runs as a system service', () => checkProxyService(machine, CLI));
await step("a system service refuses another user's folder", async () => {
  await machine.run('root', 'useradd --system --no-create-home games2; mkdir /srv/roots');
  const refused = machine.run('root', `${CLI} service install --system --user games2 --home /srv/roots`);
  await assert.rejects(refused, /chown -R games2 '\/srv\/roots'/);
});
await step('a system service is installed for a user without a home folder', async () => {
  const install = `${CLI} service install --system --user games2 --home ${MACHINE_HOME}`;
  assert.match(await machine.run('root', install), /and runs: http/);
  assert.equal(await machine.run('root', `stat --format=%U:%a ${MACHINE_HOME}`), 'games2:700');
  assert.match(await machine.run('root', `${CLI} doctor --home ${MACHINE_HOME}`), /Everything is well\./);
  await startDemo('root', MACHINE_HOME);
});
await step('its server survives a restart of the unit and a kill of the daemon', () =>
  keepsGoing('root', MACHINE_HOME, 'systemctl'),
);
await step('root upgrades it while its server keeps running', () => isUpgraded('root', MACHINE_HOME, 'systemctl'));
await step('a shutdown of the machine saves the world', async () => {
  await machine.powerOff();
  assertSaved(MACHINE_HOME);
});

async function step(title: string, body: () => Promise<void>): Promise<void> {
  await body();
  process.stdout.write(`ok  ${title}\n`);
}

async function startDemo(user: string, home: string): Promise<void> {
  const at = `--home ${home}`;
  await machine.run(user, `${CLI} create --software demo --name Demo ${at} && ${CLI} start demo --wait ${at}`);
}

async function keepsGoing(user: string, home: string, systemctl: string): Promise<void> {
  const game = await gameOf(home);
  const daemon = `$(${systemctl} show --property=MainPID --value gamekeeper)`;
  for (const disruption of [`${systemctl} restart gamekeeper`, `kill -KILL ${daemon}`]) {
    const before = await machine.run(user, `echo ${daemon}`);
    await machine.run(user, disruption);
    await until(`the next daemon lists the server (${disruption})`, async () => {
      const shown = await machine.run(user, `${CLI} list --home ${home}`).catch(() => ''); // No daemon is ready yet.
      return /^demo .* running/m.test(shown) && (await machine.run(user, `echo ${daemon}`)) !== before;
    });
    assert.equal(await gameOf(home), game);
    await machine.run('root', `kill -0 ${game}`);
  }
}

async function isUpgraded(user: string, home: string, systemctl: string): Promise<void> {
  const game = await gameOf(home);
  await machine.run(user, `${CLI} upgrade ${OTHER} --home ${home}`);
  assert.match(
    await machine.run(user, `${systemctl} show --property=ExecStart gamekeeper`),
    new RegExp(`${OTHER}/dist/`),
  );
  assert.match(await machine.run(user, `${CLI} list --home ${home}`), /^demo .* running/m);
  assert.equal(await gameOf(home), game);
  await machine.run('root', `kill -0 ${game}`);
}

/** Resolves to the pid of the demo's game process inside the container. */
async function gameOf(home: string): Promise<number> {
  return (JSON.parse(await machine.run('root', `cat ${home}/run/instances/demo.game`)) as { pid: number }).pid;
}

function assertSaved(home: string): void {
  const folder = machine.fileOf(path.join(home, 'logs/instances/demo'));
  const newest = readdirSync(folder)
    .filter((name) => name.startsWith('console-'))
    .sort()
    .at(-1);
  const last = readFileSync(path.join(folder, newest ?? ''), 'utf8')
    .split('\n')
    .slice(-9)
    .join('\n');
  assert.match(last, /All dimensions are saved[\s\S]*The server has stopped \(exit code 0\)/);
}
