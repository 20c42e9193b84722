import mineflayer, { type Bot } from 'mineflayer';

/** A player: a mineflayer client that joined over the network. */
export interface Player {
  readonly name: string;
  /** The client itself. */
  readonly bot: Bot;
  /** Resolves when the player is in the world with the first chunks. Rejects if the connection ends before. */
  readonly whenSpawned: Promise<void>;
  /** Resolves to the reason, as plain text, when the server kicks the player. Rejects if the connection ends before. */
  readonly kicked: Promise<string>;
  /** Resolves when the connection has ended. */
  readonly left: Promise<void>;
  /** Leaves, and resolves when the connection is closed. */
  quit(): Promise<void>;
}

export interface JoinOptions {
  port: number;
  name: string;
  version?: string;
  /** The name that the player has typed, if it is not the address. */
  host?: string;
}

/** Joins the server on 127.0.0.1 without an account server. Wait for `whenSpawned` before using the player. */
export function joinPlayer({ port, name, version = '1.20.4', host }: JoinOptions): Player {
  const bot = mineflayer.createBot({
    host: '127.0.0.1',
    port,
    ...(host !== undefined && { fakeHost: host }),
    username: name,
    version,
    auth: 'offline',
    viewDistance: 'tiny',
    // Gravity and walking would only cost CPU time.
    physicsEnabled: false,
    hideErrors: true,
  });

  let lastError: Error | undefined;
  // Without a listener, an error would end the test process. `whenSpawned` reports it.
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
  const kicked = new Promise<string>((resolve, reject) => {
    bot.once('kicked', (reason) => resolve(plainText(reason)));
    bot.once('end', (reason) =>
      reject(new Error(`${name} was not kicked from port ${port}: ${reason}`, { cause: lastError })),
    );
  });
  const whenSpawned = new Promise<void>((resolve, reject) => {
    bot.once('spawn', resolve);
    bot.once('end', (reason) => {
      reject(new Error(`${name} did not get into the world on port ${port}: ${reason}`, { cause: lastError }));
    });
  });
  // A test that only waits for one of them must not fail because of the other.
  whenSpawned.catch(() => {});
  kicked.catch(() => {});

  return {
    name,
    bot,
    whenSpawned,
    kicked,
    left,
    async quit() {
      // Closing a closed connection starts a timer in mineflayer that keeps the test process alive for 30 s.
      if (!hasLeft) bot.quit();
      await left;
    },
  };
}

/** The version decides whether a reason is plain text, chat JSON or an NBT-shaped object. */
function plainText(reason: unknown): string {
  return typeof reason === 'string' ? reason : JSON.stringify(reason);
}
