import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';

export const BUCKET = 'backups';
export const PREFIX = 'gamekeeper/home';

/** Starts an S3 server with one bucket (s3-server.js), and returns access to its files below the prefix. */
export async function startS3(t: Test) {
  const port = await freePort();
  const directory = temporaryFolder(t);
  let child: ChildProcess | undefined;
  const server = {
    endpoint: `http://127.0.0.1:${port}`,
    directory,
    fileOf: (key: string) => path.join(directory, BUCKET, PREFIX, `${key}._S3rver_object`),
    /** Resolves to the number of unfinished uploads. */
    uploads: async () => (await readdir(path.join(directory, BUCKET, '._S3rver_uploads')).catch(() => [])).length,
    async list(): Promise<string[]> {
      const names = await readdir(path.join(directory, BUCKET), { recursive: true });
      return names
        .filter((name) => name.startsWith(PREFIX) && name.endsWith('._S3rver_object'))
        .map((name) => name.slice(PREFIX.length + 1, -'._S3rver_object'.length));
    },
    async start() {
      child = spawn(
        process.execPath,
        ['s3-server.js', '--port', String(port), '--directory', directory, '--bucket', BUCKET],
        { cwd: import.meta.dirname, stdio: ['ignore', 'inherit', 'inherit'] },
      );
      await until('the S3 server answers', () =>
        fetch(server.endpoint).then(
          () => true,
          () => false,
        ),
      );
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  await server.start();
  t.teardown(() => server.kill());
  return server;
}
