import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { ServiceDefinition } from '../../../../daemon/cli/service/definition.ts';
import { hasGrowingPauses } from '../../../../daemon/cli/service/systemd-presence.ts';
import { systemdUnit } from '../../../../daemon/cli/service/systemd-unit.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const PLAIN: ServiceDefinition = {
  node: '/opt/node/bin/node',
  entry: '/opt/gamekeeper/dist/daemon/main.js',
  home: '/home/steve/.local/share/gamekeeper',
  stopSeconds: 90,
  path: '/usr/local/bin:/usr/bin:/bin',
  growingPauses: false,
};
/** All characters that are special in some syntax. */
const HOSTILE: ServiceDefinition = {
  ...PLAIN,
  entry: `/srv/Müllers "Spiele"/100%n $HOME 'x' \\t <&>;#/main.js`,
  home: '/srv/Größe 5%/$HOME/ends with \\',
};

t.test('the unit of a user', async (t) => {
  t.equal(
    systemdUnit(PLAIN),
    `# Written by "gamekeeper service install"; "gamekeeper service uninstall" removes it.
[Unit]
Description=Gamekeeper, which runs game servers
# An address may not be available yet, or a port not free. Never give up.
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=":/opt/node/bin/node" "/opt/gamekeeper/dist/daemon/main.js" "--home" "/home/steve/.local/share/gamekeeper"
Environment="GAMEKEEPER_SERVICE=systemd"
Environment="GAMEKEEPER_STOP_SECONDS=90"
Environment="PATH=/usr/local/bin:/usr/bin:/bin"
SyslogIdentifier=gamekeeper
Restart=on-failure
RestartSec=5
# Wrong usage or settings: a restart does not help.
RestartPreventExitStatus=2
# Only the daemon gets SIGTERM. It stops the servers if the machine shuts down, and otherwise leaves them running.
KillMode=process
TimeoutStopSec=90
OOMPolicy=continue
UMask=0077

[Install]
WantedBy=default.target
`,
  );
});

t.test('systemd increases the pause between failed starts if it can', async (t) => {
  const lines = systemdUnit({ ...PLAIN, growingPauses: true }).split('\n');
  const first = lines.indexOf('RestartSec=1');
  t.same(lines.slice(first, first + 3), ['RestartSec=1', 'RestartSteps=5', 'RestartMaxDelaySec=15']);
});

t.test('a system unit runs as a user, after the network', async (t) => {
  const lines = systemdUnit({ ...PLAIN, path: undefined }, 'games').split('\n');
  for (const line of ['User=games', 'WorkingDirectory=-~', 'After=network-online.target', 'WantedBy=multi-user.target'])
    t.ok(lines.includes(line), line);
  t.notOk(lines.some((line) => line.includes('PATH=')));
});

t.test('special characters in paths are escaped in the unit', async (t) => {
  const unit = systemdUnit(HOSTILE);
  t.ok(unit.includes(`"/srv/Müllers \\"Spiele\\"/100%%n $HOME 'x' \\\\t <&>;#/main.js"`), unit);
  t.ok(unit.includes('"/srv/Größe 5%%/$HOME/ends with \\\\"\n'), unit);
  t.throws(() => systemdUnit({ ...PLAIN, home: '/a\nExecStartPre=/bin/evil' }), /control character/);
  t.throws(() => systemdUnit({ ...PLAIN, node: '/a "b"/node' }), /quote or a backslash/);
});

t.test('systemd accepts both units', async (t) => {
  if (!requireProgram(t, 'systemd-analyze', 'systemd')) return;
  const folder = path.join(temporaryFolder(t), 'Größe 5% $HOME');
  mkdirSync(folder);
  const node = path.join(folder, 'node');
  writeFileSync(node, '');
  chmodSync(node, 0o755);
  const verify = (unit: string, ...scope: string[]) => {
    const file = path.join(folder, 'gamekeeper.service');
    writeFileSync(file, unit);
    return new Promise<string>((resolve) => {
      execFile(
        'systemd-analyze',
        ['verify', '--man=no', '--recursive-errors=no', ...scope, file],
        { env: { ...process.env, XDG_RUNTIME_DIR: folder } },
        (error, stdout, stderr) => resolve(`${error ? 'failed: ' : ''}${stdout}${stderr}`),
      );
    });
  };
  const definition = { ...HOSTILE, node, growingPauses: await hasGrowingPauses() };
  t.equal(await verify(systemdUnit(definition), '--user'), '');
  t.equal(await verify(systemdUnit(definition, 'root'), '--system'), '');
  t.match(
    await verify(systemdUnit({ ...HOSTILE, node: `${folder}/none` }), '--user'),
    `Command ${folder}/none is not executable`,
    'a missing program is reported with its exact path',
  );
});
