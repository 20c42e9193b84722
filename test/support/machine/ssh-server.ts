import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const SSHD = '/usr/sbin/sshd';

export interface SshServer {
  port: number;
  /** A private key that is accepted, PEM. */
  privateKey: string;
  /** Of the host's Ed25519 key. */
  fingerprint: string;
  /** The host's public key, `ssh-ed25519 AAAA...`. */
  hostKey: string;
  /** Its other public key, `ecdsa-sha2-nistp256 AAAA...`. */
  otherHostKey: string;
  /** Kills the server with every session, as a power cut would, and waits until all are gone. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and with the same keys. */
  start(): Promise<void>;
}

/** Creates another host key. `pin` is its fingerprint, `line` its public key. */
export async function createHostKey(t: Test, type: string): Promise<{ file: string; pin: string; line: string }> {
  const file = path.join(temporaryFolder(t), 'host');
  await run('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file]);
  const [, pin = ''] = (await run('ssh-keygen', ['-l', '-f', file])).stdout.split(' ');
  return { file, pin, line: (await readFile(`${file}.pub`, 'utf8')).trim() };
}

/** OpenSSH's server on loopback, with temporary keys and configuration. `lines` are added to the configuration. */
export async function startSshServer(t: Pick<Test, 'teardown'>, lines: string[] = []): Promise<SshServer> {
  const folder = temporaryFolder(t);
  const at = (name: string) => path.join(folder, name);
  const keygen = (name: string, type: string) => run('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', at(name)]);
  await Promise.all([keygen('host', 'ed25519'), keygen('host-ecdsa', 'ecdsa'), keygen('user', 'ed25519')]);
  await writeFile(at('authorized'), await readFile(at('user.pub')));
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `HostKey ${at('host-ecdsa')}`,
    `AuthorizedKeysFile ${at('authorized')}`,
    'PidFile none',
    'PermitRootLogin yes',
    'StrictModes no',
    'UsePAM no',
    'Subsystem sftp internal-sftp',
    ...lines,
  ];
  await writeFile(at('config'), `${config.join('\n')}\n`);
  // The unprivileged part of sshd runs in this folder.
  await mkdir('/run/sshd', { recursive: true });

  let pid: number | undefined;
  const server: SshServer = {
    port,
    privateKey: await readFile(at('user'), 'utf8'),
    fingerprint: (await run('ssh-keygen', ['-l', '-f', at('host.pub')])).stdout.split(' ')[1]!,
    hostKey: (await readFile(at('host.pub'), 'utf8')).trim(),
    otherHostKey: (await readFile(at('host-ecdsa.pub'), 'utf8')).trim(),
    async start() {
      const child = spawn(SSHD, ['-D', '-e', '-f', at('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
      let log = '';
      child.stderr.on('data', (data) => {
        log += data;
      });
      pid = child.pid;
      await until('sshd listens', () => listens(port), { describe: () => log });
    },
    async kill() {
      if (pid === undefined) return;
      const all = [...descendants(pid), pid];
      pid = undefined;
      for (const one of all) end(one);
      await until('sshd is gone', () => !all.some(isAlive));
    },
  };
  await server.start();
  t.teardown(() => server.kill());
  return server;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // Not yet.
  } finally {
    socket.destroy();
  }
}

/** Sessions have their own process groups. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = stateOf(Number(name))?.parent;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const below = (one: number): number[] =>
    [...parents].filter(([, parent]) => parent === one).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

function isAlive(pid: number): boolean {
  const state = stateOf(pid)?.state;
  return state !== undefined && state !== 'Z';
}

function stateOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: state ?? '', parent: Number(parent) };
  } catch {
    return undefined; // it has exited since
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
