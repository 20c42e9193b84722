import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { freePort } from '../../../../support/machine/free-port.ts';
import { until } from '../../../../support/machine/until.ts';

export interface WebdavServer {
  url: string;
  username: string;
  password: string;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Stops it from answering, without ending it. */
  freeze(): void;
}

/** rclone's WebDAV server over a folder. */
export async function startWebdavServer(t: Test, directory: string): Promise<WebdavServer> {
  const port = await freePort();
  const [username, password] = ['alex', 'webdav-s3cret'];
  let child: ChildProcess | undefined;
  const server: WebdavServer = {
    url: `http://127.0.0.1:${port}`,
    username,
    password,
    async start() {
      child = spawn('rclone', ['serve', 'webdav', '--addr', `127.0.0.1:${port}`, directory], {
        stdio: 'ignore',
        env: { ...process.env, RCLONE_USER: username, RCLONE_PASS: password, RCLONE_CONFIG: '/dev/null' },
      });
      await until('rclone serves WebDAV', () =>
        fetch(server.url).then(
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
    freeze: () => void child?.kill('SIGSTOP'),
  };
  await server.start();
  t.teardown(() => server.kill());
  return server;
}
