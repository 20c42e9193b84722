import mineflayer, { type Bot } from 'mineflayer';

/** A player who is not ours: a mineflayer client that joined over the network. */
export interface Player {
  readonly name: string;
  /** The client itself, for what the promises below do not say. */
  readonly bot: Bot;
  /** In the world, with the first chunks around. Rejects when the connection ends first. */
  readonly whenSpawned: Promise<void>;
  /** The reason the server gave for throwing this player out, as plain text. Pending for ever when it never did. */
  readonly kicked: Promise<string>;
  /** The connection is over, whoever ended it. */
  readonly left: Promise<void>;
  /** Leaves and waits until the connection is closed. */
  quit(): Promise<void>;
}

/** Where and as whom to join; `version` as in `flying-squid.js` (default there and here: 1.20.4). */
export interface JoinOptions {
  port: number;
  name: string;
  version?: string;
}

/** Joins the server on 127.0.0.1 as `name`, without an account server. Await `whenSpawned` before counting on it. */
export function joinPlayer({ port, name, version = '1.20.4' }: JoinOptions): Player {
  const bot = mineflayer.createBot({
    host: '127.0.0.1',
    port,
    username: name,
    version,
    auth: 'offline',
    viewDistance: 'tiny',
    // A statue: gravity and walking would only cost CPU time.
    physicsEnabled: false,
    hideErrors: true,
  });

  let lastError: Error | undefined;
  // Without a listener an error would end the test process; what matters of it comes out of `whenSpawned`.
  bot.on('error', (error) => {
    lastError = error;
  });

  let hasLeft = false;
  const left = new Promise<void>((resolve) =>
    bot.once('end', () => {
      hasLeft = true;
      resolve();
    }),
  );
  const kicked = new Promise<string>((resolve) => bot.once('kicked', (reason) => resolve(plainText(reason))));
  const whenSpawned = new Promise<void>((resolve, reject) => {
    bot.once('spawn', resolve);
    bot.once('end', (reason) => {
      reject(new Error(`${name} did not get into the world on port ${port}: ${reason}`, { cause: lastError }));
    });
  });
  // A test that only waits for `kicked` must not fail on this promise; whoever awaits it still sees the rejection.
  whenSpawned.catch(() => {});

  return {
    name,
    bot,
    whenSpawned,
    kicked,
    left,
    async quit() {
      // Closing what is closed starts a timer in the client library that keeps the test's process alive for half a minute.
      if (!hasLeft) bot.quit();
      await left;
    },
  };
}

/** Kick reasons come as plain text, as chat JSON or as an NBT-shaped object, depending on the version. */
function plainText(reason: unknown): string {
  return typeof reason === 'string' ? reason : JSON.stringify(reason);
}
