import type { Socket } from 'node:net';
import ssh2, { type Connection, type ServerChannel, type ServerConfig, type Session } from 'ssh2';
import type { DaemonClient, SignInClient } from '../../../shared/node/ipc/connect.ts';
import type { Access } from '../access/access.ts';
import type { LiveSessions } from '../access/live-sessions.ts';
import type { SessionOptions } from '../session/serve-session.ts';
import { authenticate } from './authenticate.ts';

/** Time to say that it is an SSH client, which needs no person. ssh2 does not report what else it gets before that. */
const GREET_WITHIN_MS = 10_000;
/** Time to sign in, as in OpenSSH. */
const SIGN_IN_WITHIN_MS = 60_000;
const IDLE_MS = 30 * 60_000;
const CHECKED_EVERY_MS = 15_000;
/** A client that does not answer so many questions is gone. */
const UNANSWERED = 3;
/** Of one connection: OpenSSH's ControlMaster shares one. */
const MOST_CHANNELS = 8;
/** What ssh2 lets a client send at once. It does not end a client that sends more, whose bytes would fill the memory. */
const MOST_BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Without groups of finite fields, since strangers choose: one exchange by the largest takes as long as hundreds by a curve. Without ChaCha20: it is the slowest in ssh2, which clients cannot know, and the one that Terrapin was about (CVE-2023-48795). Without compression:
 * compressed bytes may become many more.
 */
const ALGORITHMS: NonNullable<ServerConfig['algorithms']> = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  compress: ['none'],
};

interface Client {
  access: Access;
  address: string;
}

export interface ConnectionOptions {
  hostKey: string;
  signIn: SignInClient['call'];
  daemon: DaemonClient['call'];
  sessions: LiveSessions;
  serve: (
    channel: ServerChannel,
    client: Client,
    context: Pick<SessionOptions, 'signal' | 'onPacket' | 'gather'>,
  ) => Promise<void>;
  /** Records a sign-in with a key. */
  keyShown: (client: { username: string; address: string }) => void;
  onError: (error: unknown) => void;
}

/** Serves one connection. Returns once it is closed. `onSignedIn` is called when it no longer counts as a stranger's. */
export function serveConnection(socket: Socket, options: ConnectionOptions, onSignedIn: () => void): void {
  const address = socket.remoteAddress ?? '';
  const closed = new AbortController();
  const end = () => {
    closed.abort();
    socket.destroy();
  };
  let timer = setTimeout(end, GREET_WITHIN_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    closed.abort();
  });
  const gather = () => {
    socket.cork();
    return () => socket.uncork();
  };
  let access: Access | undefined;

  function accepted(client: Connection): void {
    clearTimeout(timer);
    onSignedIn();
    const onPacket = endWhenIdle(closed.signal, end);
    let channels = 0;
    client.on('session', (accept, reject) => {
      if (!access || ++channels > MOST_CHANNELS) return void reject();
      const user = access;
      onSubsystem(accept(), (channel) => {
        boundBuffer(channel, end);
        options
          .serve(channel, { access: user, address }, { signal: closed.signal, onPacket, gather })
          .catch((error: unknown) => {
            if (!closed.signal.aborted) options.onError(error);
          })
          .finally(() => {
            channel.exit(0);
            channel.end();
          });
        channel.once('close', () => channels--);
      });
    });
  }

  // One for each connection: ssh2 does not tell which socket a client belongs to.
  const server = new ssh2.Server(
    {
      hostKeys: [options.hostKey],
      ident: 'Gamekeeper',
      keepaliveInterval: CHECKED_EVERY_MS,
      keepaliveCountMax: UNANSWERED,
      algorithms: ALGORITHMS,
    },
    (client) => {
      clearTimeout(timer);
      timer = setTimeout(end, SIGN_IN_WITHIN_MS);
      client.on('error', end);
      client.once('ready', () => accepted(client));
      authenticate(client, {
        address,
        signIn: options.signIn,
        daemon: options.daemon,
        keyShown: (username) => options.keyShown({ username, address }),
        async begin(signedIn) {
          access = await options.sessions.begin(signedIn, { end, closed: closed.signal });
          return access !== undefined;
        },
        giveUp: end,
        onError: options.onError,
      });
    },
  );
  server.on('error', end);
  server.injectSocket(socket);
}

function onSubsystem(session: Session, begin: (channel: ServerChannel) => void): void {
  session.on('subsystem', (accept, reject, { name }) => {
    if (name === 'sftp') begin(accept());
    else reject();
  });
}

/** Returns a function to be called for each packet. */
function endWhenIdle(closed: AbortSignal, end: () => void): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - last > IDLE_MS) end();
  }, CHECKED_EVERY_MS);
  closed.addEventListener('abort', () => clearInterval(timer), { once: true });
  return () => {
    last = performance.now();
  };
}

/** ssh2 has a window for what a client may send, but accepts what goes beyond it ("TODO" in its lib/server.js, CHANNEL_DATA). */
function boundBuffer(channel: ServerChannel, end: () => void): void {
  const push = channel.push.bind(channel);
  channel.push = (chunk: unknown) => {
    if (channel.readableLength > MOST_BUFFERED_BYTES) end();
    return push(chunk);
  };
}
