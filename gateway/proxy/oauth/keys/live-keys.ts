import type { JWK } from 'jose';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { KeyStore } from './key-store.ts';

/** How soon a replica follows a rotation on another one. */
const READ_EVERY_MS = 10_000;
/** Minimum between two reads that strangers can cause with invented key ids. */
const COOL_DOWN_MS = 2_000;

/** The keys of the moment. The first of each signs; all are accepted. */
export interface KeyRing {
  /** Private. */
  signing: readonly JWK[];
  cookies: readonly string[];
}

/** The keys that this process works with. They follow those in the database. */
export interface LiveKeys {
  readonly ring: KeyRing;
  /** Calls `listener` after each change. */
  onChange(listener: () => void): void;
  /** Reads them again, because a token was signed with a key that is not known here. Resolves to whether they have changed. */
  refresh(): Promise<boolean>;
  /** Follows the database and rotates keys that are due, until the returned function is called. */
  follow(log: Logger): () => void;
}

/** Throws StartupError if the keys were encrypted with another secret. */
export async function createLiveKeys(store: KeyStore): Promise<LiveKeys> {
  let ring = await readRing(store);
  let readAt = performance.now();
  let reading: Promise<boolean> | undefined;
  const listeners: (() => void)[] = [];

  async function read(): Promise<boolean> {
    readAt = performance.now();
    const next = await readRing(store);
    if (JSON.stringify(next) === JSON.stringify(ring)) return false;
    ring = next;
    for (const listener of listeners) listener();
    return true;
  }

  function readOnce(): Promise<boolean> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function keepUp(log: Logger): Promise<void> {
    await store.keepUp();
    if (await readOnce()) log.info({ signing: ring.signing.map(({ kid }) => kid) }, 'the keys have changed');
  }

  return {
    get ring() {
      return ring;
    },
    onChange: (listener) => void listeners.push(listener),
    async refresh() {
      if (!reading && performance.now() - readAt < COOL_DOWN_MS) return false;
      return readOnce();
    },
    follow(log) {
      const keep = () =>
        keepUp(log).catch((error: unknown) => log.warn({ err: error }, 'the keys could not be read again'));
      void keep();
      const timer = setInterval(keep, READ_EVERY_MS);
      return () => clearInterval(timer);
    },
  };
}

async function readRing(store: KeyStore): Promise<KeyRing> {
  const [signing, cookies] = [await store.read('signing'), await store.read('cookies')];
  return {
    signing: signing.map(({ secret }) => JSON.parse(secret) as JWK),
    cookies: cookies.map(({ secret }) => secret),
  };
}
