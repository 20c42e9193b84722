import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { writeNodeFiles } from './node-image.ts';
import { requireProgram, requireRoot } from './system-packages.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const PROJECT = path.resolve(import.meta.dirname, '../../..');
/** Its name has the version, because podman reuses the steps of a build that began with the same image. */
const NODE_IMAGE = `localhost/gamekeeper-test-node:${process.versions.node}`;
const PROXY_IMAGE = 'localhost/gamekeeper-test-proxy';
/** crun does not support version 1 of cgroups beside version 2. */
const RUNTIME = ['--runtime', 'runc'];
/** podman would raise these limits, which root may not do everywhere. */
const LIMITS = ['nofile=4096:4096', 'nproc=4096:4096'].flatMap((limit) => ['--ulimit', limit]);
const OUTPUT_BYTES = 16 * 1024 * 1024;

/** Returns whether this machine can build and run containers. Otherwise the test is skipped. */
export function requireContainers(t: Test): boolean {
  return requireRoot(t) && requireProgram(t, 'podman', 'podman') && requireProgram(t, 'runc', 'runc');
}

/** Builds the image of the proxy from packaging/proxy/Containerfile, on an image made of this machine's Node.js. Resolves to its name. */
export async function buildProxyImage(t: Test): Promise<string> {
  await provideNodeImage(t);
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache']);
  await podman(
    'build',
    ...['--quiet', '--format', 'docker', '--isolation', 'chroot', '--network', 'host'],
    ...['--volume', `${cache.trim()}:/root/.npm`, '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`],
    ...['--file', path.join(PROJECT, 'packaging/proxy/Containerfile'), '--tag', PROXY_IMAGE, PROJECT],
  );
  return PROXY_IMAGE;
}

async function provideNodeImage(t: Test): Promise<void> {
  if ((await podman('images', '--quiet', NODE_IMAGE)) !== '') return;
  const folder = temporaryFolder(t);
  const files = path.join(folder, 'files');
  mkdirSync(files);
  writeNodeFiles(files);
  const archive = path.join(folder, 'files.tar');
  await run('tar', ['--create', '--file', archive, '--directory', files, '.']);
  const variables = ['PATH=/usr/local/bin:/usr/bin:/bin', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'];
  await podman('import', ...variables.flatMap((variable) => ['--change', `ENV ${variable}`]), archive, NODE_IMAGE);
}

export interface Container {
  /** Runs a command inside, with `input` on its stdin. Resolves to its output. */
  exec(command: readonly string[], input?: string): Promise<string>;
  /** Runs the image's health check. Throws if it fails. */
  check(): Promise<unknown>;
  /** Sends the image's stop signal. Resolves to the exit status. */
  stop(): Promise<number>;
  logs(): Promise<string>;
}

/** Starts a container on the host's network, without any privilege and with a read-only root, until the end of the test. */
export async function startContainer(t: Test, options: readonly string[], image: string): Promise<Container> {
  const hardened = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];
  const id = await podman('run', '--detach', '--network', 'host', ...hardened, ...LIMITS, ...options, image);
  t.teardown(() => podman('rm', '--force', '--time', '0', id));
  return {
    async exec(command, input = '') {
      const child = spawn('podman', [...RUNTIME, 'exec', '--interactive', id, ...command]);
      child.stdin.end(input);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      if (child.exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
      return stdout;
    },
    check: () => podman('healthcheck', 'run', id),
    async stop() {
      await podman('stop', '--time', '60', id);
      return Number(await podman('inspect', '--format', '{{.State.ExitCode}}', id));
    },
    logs: () => podman('logs', id),
  };
}

/** Runs podman. Resolves to its output. Throws with its messages if it fails. */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await run('podman', [...RUNTIME, ...args], { maxBuffer: OUTPUT_BYTES });
  return stdout.trim();
}
