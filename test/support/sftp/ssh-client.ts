import { once } from 'node:events';
import ssh2, { type Client, type ClientChannel, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import type { Test } from 'tap';

/** A connection of the ssh2 package's client, until the end of the test. */
export interface SshClient {
  readonly client: Client;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  sftp(): Promise<SFTPWrapper>;
  /** Opens the subsystem for packets of our own. */
  channel(): Promise<ClientChannel>;
}

/** Rejects if the sign-in is refused. */
export async function connectSsh(t: Test, port: number, options: ConnectConfig): Promise<SshClient> {
  const client = new ssh2.Client();
  t.teardown(() => client.destroy());
  const closed = new Promise<void>((resolve) => client.on('close', () => resolve()));
  const ready = once(client, 'ready');
  client.on('error', () => undefined); // reported by `ready`, or the end of the connection
  client.connect({ host: '127.0.0.1', port, readyTimeout: 60_000, ...options });
  await Promise.race([
    ready,
    closed.then(() => {
      throw new Error('the connection was closed');
    }),
  ]);
  return {
    client,
    closed,
    sftp: () => new Promise((resolve, reject) => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)))),
    channel: () =>
      new Promise((resolve, reject) =>
        client.subsys('sftp', (error, channel) => (error ? reject(error) : resolve(channel))),
      ),
  };
}
