import { spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn, type Terminal } from 'node-pty';
import t, { type Test } from 'tap';
import type { DaemonInfo } from '../../shared/contract/daemon.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { otherVersion } from '../support/processes/other-version.ts';

const CLI = join(import.meta.dirname, '../../dist/daemon/cli/main.js');

/** Another version that pauses at the beginning of its start until `goOn` is called. */
function heldVersion(t: Test) {
  const folder = otherVersion(t);
  const [daemon, begun, goOn] = ['dist/daemon', 'begun', 'go on'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  renameSync(join(daemon, 'main.js'), join(daemon, 'held.js'));
  writeFileSync(
    join(daemon, 'main.js'),
    `import { existsSync, writeFileSync } from 'node:fs';
    if (!process.argv.includes('--describe')) {
      writeFileSync(${JSON.stringify(begun)}, '');
      while (!existsSync(${JSON.stringify(goOn)})) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await import('./held.js');`,
  );
  return {
    folder,
    daemon: join(daemon, 'main.js'),
    begun: () => until('the next version is starting', () => existsSync(begun)),
    goOn: () => writeFileSync(goOn, ''),
  };
}

async function setup(t: Test) {
  const version = heldVersion(t);
  const gamekeeper = await startGamekeeper(t, { settings: { remoteControl: { panelPort: 0, port: 0 } } });
  const former = await info();
  /** Runs the command on a terminal, so that Ctrl-C and a hang-up reach it. */
  const upgrade = () => {
    const env = { ...(process.env as Record<string, string>), CI: 'true' };
    const args = [CLI, 'upgrade', version.folder, '--home', gamekeeper.home];
    const terminal = spawn(process.execPath, args, { env, cols: 300, encoding: null });
    let said = '';
    terminal.onData((bytes) => {
      said += bytes.toString();
    });
    return { terminal, said: () => said, exit: exitOf(terminal) };
  };
  async function info(): Promise<Required<DaemonInfo>> {
    return JSON.parse((await gamekeeper.cli('status', '--json')).stdout);
  }
  return { version, gamekeeper, former, info, upgrade };
}

function exitOf(terminal: Terminal): Promise<number> {
  return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
}

t.test('an upgrade finishes despite Ctrl-C, which prints one message', async (t) => {
  const { version, gamekeeper, info, upgrade } = await setup(t);
  const { terminal, said, exit } = upgrade();
  await version.begun();
  terminal.write('\x03');
  await until('the command answers Ctrl-C', () => said().includes('Finishing the upgrade first'));
  terminal.write('\x03');
  terminal.kill('SIGTERM');
  version.goOn();
  t.equal(await exit, 0, said());
  t.match(said(), /\^C.*Finishing the upgrade first.*\^C.*is running \(pid \d+\)/s);
  t.equal(said().split('Finishing the upgrade first').length, 2);
  t.equal((await info()).program[1], version.daemon);
  t.match(await gamekeeper.cli('down'), { code: 0 });
});

t.test('an upgrade that fails after its terminal hung up is rolled back', async (t) => {
  const { version, gamekeeper, info, former, upgrade } = await setup(t);
  writeFileSync(join(version.folder, 'dist/gateway/main.js'), 'process.exit(1)');
  const { terminal, exit } = upgrade();
  await version.begun();
  // The kernel sends SIGHUP to the processes of the terminal, and their writes to it fail with EIO from now on.
  terminal._socket.destroy();
  version.goOn();
  await exit;
  t.same((await info()).program, former.program);
  t.match(await gamekeeper.cli('down'), { code: 0 });
});

t.test('an upgrade finishes although nobody reads its output', async (t) => {
  const { version, gamekeeper, info } = await setup(t);
  const upgrade = spawnProcess(process.execPath, [CLI, 'upgrade', version.folder, '--home', gamekeeper.home]);
  const exit = once(upgrade, 'exit');
  await version.begun();
  upgrade.stdout.destroy();
  upgrade.stderr.destroy();
  upgrade.kill('SIGINT');
  version.goOn();
  t.same(await exit, [0, null]);
  t.equal((await info()).program[1], version.daemon);
  t.match(await gamekeeper.cli('down'), { code: 0 });
});
