import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createAuditTrail } from '../../shared/node/audit-trail.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { connectDaemon, connectFiles, connectSignIn } from '../../shared/node/ipc/connect.ts';
import { createLogger } from '../../shared/node/logger.ts';
import type { SftpListening } from '../../shared/schema/sftp.ts';
import { LiveSessions } from './access/live-sessions.ts';
import { createAnswer } from './session/answer.ts';
import { OpenFiles } from './session/open-files.ts';
import { serveSession } from './session/serve-session.ts';
import { Servers } from './session/servers.ts';
import { createUserShares } from './session/user-shares.ts';
import { readHostKey } from './ssh/host-key.ts';
import { listen } from './ssh/listen.ts';
import { type ConnectionOptions, serveConnection } from './ssh/serve-connection.ts';

/** Builds the process, leaves first, and listens. `settled` resolves when all changes so far are in the audit log. `onLost` is called when revocations can no longer be heard. */
export async function startSftp(
  home: Home,
  address: { host: string; port: number },
  onLost: (error: unknown) => void,
): Promise<{ listening: SftpListening; settled: () => Promise<void> }> {
  const daemon = connectDaemon(home.daemonSocket);
  const { level } = (await daemon.call.settings()).log;
  const log = createLogger({ name: 'sftp', level });
  const onError = (error: unknown) => log.warn({ err: error }, 'a session failed');
  const files = connectFiles(async () => (await daemon.call.files()).socket);
  const audit = createAuditTrail(daemon, onError);
  const record = ({
    username,
    ...entry
  }: {
    username: string;
    from: string;
    path: string;
    instance?: string;
    status: number;
  }) =>
    void audit.write({
      ...entry,
      at: new Date().toISOString(),
      who: username,
      username,
      method: 'SFTP',
      requestId: randomUUID(),
    });
  const sessions = new LiveSessions(daemon.call);
  sessions.follow(new AbortController().signal).catch(onLost);
  const { privateKey, fingerprint } = await readHostKey(home.sftpHostKey);

  const shares = createUserShares();
  const serve: ConnectionOptions['serve'] = async (
    channel,
    { access, address: from },
    { signal, onPacket, gather },
  ) => {
    const open = new OpenFiles(files.call, shares(access.username));
    signal.addEventListener('abort', () => void open.end().catch(onError), { once: true });
    const answer = createAnswer(
      {
        username: access.username,
        servers: new Servers({ access, instances: () => sessions.instances(), now: Date.now }),
        open,
        files: files.call,
        changed: ({ what, instanceId, isRefused }) =>
          record({ username: access.username, from, path: what, instance: instanceId, status: isRefused ? 400 : 200 }),
        now: Date.now,
      },
      onError,
    );
    try {
      await serveSession(channel, { answer, onPacket, gather, signal });
    } finally {
      await open.end();
    }
  };
  const signIn = connectSignIn(home.signInSocket).call;
  const connection: ConnectionOptions = {
    hostKey: privateKey,
    signIn,
    daemon: daemon.call,
    sessions,
    serve,
    keyShown: ({ username, address: from }) => record({ username, from, path: 'sign-in with a key', status: 200 }),
    onError,
  };
  const server = await listen(address, (socket, onSignedIn) => serveConnection(socket, connection, onSignedIn));
  const { address: host, port } = server.address() as AddressInfo;
  log.info({ host, port }, 'ready');
  return { listening: { host, port, fingerprint }, settled: audit.settled };
}
