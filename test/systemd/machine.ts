import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/machine/until.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
/** Where the machine has this checkout, read-only, and where it has it again, to upgrade to. */
export const INSTALLED = '/opt/gamekeeper';
export const OTHER = '/opt/gamekeeper-new';
/** For a unit that hangs. Milliseconds. */
const COMMAND_TIMEOUT_MS = 120_000;

/** A container booted with systemd. It sees the files of this machine and cannot change them. */
export interface Machine {
  /** Runs a shell command as `user` in a session of that user. Resolves to its output. Throws if it fails. */
  run(user: string, commandLine: string): Promise<string>;
  /** Returns the path on the host of a file in the container. */
  fileOf(file: string): string;
  /** Shuts the machine down. Resolves when it is off. */
  powerOff(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Boots the container, whose network is only a loopback device. Needs root, `systemd-nspawn` and overlayfs. */
export async function bootMachine(): Promise<Machine> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-machine-'));
  const [memory, root] = [path.join(folder, 'memory'), path.join(folder, 'root')];
  for (const made of [memory, root]) mkdirSync(made);
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', memory]);
  for (const layer of ['upper', 'work']) mkdirSync(path.join(memory, layer));
  const layers = `lowerdir=/,upperdir=${memory}/upper,workdir=${memory}/work`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root]);
  writeFileSync(path.join(root, 'etc/machine-id'), ''); // systemd generates one

  const container = spawn(
    'systemd-nspawn',
    [
      ...['--quiet', '--boot', '--directory', root, '--machine', path.basename(folder)],
      ...['--register=no', '--keep-unit', '--private-network', '--console=pipe'],
      ...[INSTALLED, OTHER].map((folder) => `--bind-ro=${PROJECT}:${folder}`),
    ],
    { stdio: 'ignore' },
  );
  const isOff = once(container, 'exit');
  const run = async (user: string, commandLine: string) => {
    const first = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim();
    const inside = ['--target', first, '--all', 'runuser', '--login', user, '--command'];
    const withSession = `export XDG_RUNTIME_DIR=/run/user/$(id -u); ${commandLine}`;
    const { stdout } = await promisify(execFile)('nsenter', [...inside, withSession], { timeout: COMMAND_TIMEOUT_MS });
    return stdout.trim();
  };
  const off = async () => {
    await run('root', 'systemctl poweroff').catch(() => undefined); // It may be off before it answers.
    await isOff;
  };
  const machine: Machine = {
    run,
    fileOf: (file) => path.join(root, file),
    powerOff: off,
    async [Symbol.asyncDispose]() {
      if (container.exitCode === null) await off();
      for (const mounted of [root, memory]) execFileSync('umount', [mounted]);
      rmSync(folder, { recursive: true });
    },
  };
  await until('systemd has started the machine', () =>
    run('root', 'systemctl is-system-running || true').then(
      (state) => state === 'running' || state === 'degraded',
      () => false, // The bus does not exist yet.
    ),
  );
  return machine;
}
