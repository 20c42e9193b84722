import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { createRevokedGrants } from '../../shared/node/link/revoked-grants.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import type { Store } from '../store/store.ts';
import type { Credentials } from '../users/credentials.ts';
import { endedGrants } from './ended-grants.ts';

/** The proxy reports each revoked grant over the link. This is for reports that were lost. Milliseconds. */
const ASK_EVERY_MS = 60 * 60 * 1000;
const ASK_AGAIN_MS = 30_000;

export interface GrantWatchOptions {
  store: Store;
  credentials: Pick<Credentials, 'pairing' | 'endGrants'>;
  tokenFor: (issuer: string) => Promise<string>;
  log: Logger;
}

/**
 * Knows which grants of the paired proxy are still good: what was saved through one must end with it. The proxy reports revoked grants while
 * the link is open; for all others it is asked once the link has opened again.
 */
export class GrantWatch {
  readonly #options: GrantWatchOptions;
  /** Revoked while nothing depended on them: something may be about to. */
  readonly #revoked = createRevokedGrants();
  readonly #mutex = createMutex();
  /** Asked about once, besides those on record. */
  readonly #others = new Set<string>();
  #isQueued = false;
  #next: NodeJS.Timeout | undefined;

  constructor(options: GrantWatchOptions) {
    this.#options = options;
    this.#askIn(ASK_EVERY_MS);
  }

  /** Records that something depends on a grant. Throws `unauthenticated` if it is revoked. */
  use(grantId: string): void {
    if (this.#revoked.has(grantId))
      throw new GamekeeperError('unauthenticated', 'The access of this program has ended.');
    const { usedGrants } = this.#options.store;
    if (usedGrants.has(grantId)) return;
    usedGrants.add(grantId);
    // It may have been revoked before this process began.
    this.ask([]);
  }

  /** Returns whether a grant that something depends on is still good. */
  isGood(grantId: string): boolean {
    return this.#options.store.usedGrants.has(grantId);
  }

  end(grantIds: readonly string[]): void {
    for (const grantId of grantIds) this.#revoked.add(grantId);
    this.#options.credentials.endGrants(grantIds);
  }

  /** Asks the proxy about all grants on record, and about these. Returns at once, and tries again until there is an answer. */
  ask(grantIds: readonly string[]): void {
    for (const grantId of grantIds) this.#others.add(grantId);
    if (this.#isQueued) return;
    this.#isQueued = true;
    void this.#mutex
      .run(() => this.#ask())
      .then(
        () => this.#askIn(ASK_EVERY_MS),
        (error: unknown) => {
          this.#options.log.warn({ err: error }, 'could not ask the proxy which grants are revoked');
          this.#askIn(ASK_AGAIN_MS);
        },
      );
  }

  close(): void {
    clearTimeout(this.#next);
  }

  async #ask(): Promise<void> {
    this.#isQueued = false;
    const { store, credentials, tokenFor } = this.#options;
    const pairing = credentials.pairing();
    const grantIds = [...new Set([...store.usedGrants.all(), ...this.#others])];
    if (pairing && grantIds.length > 0) {
      const { issuer } = pairing;
      const { daemonId } = store.meta;
      const ended = await endedGrants({ issuer, daemonId, token: () => tokenFor(issuer), grantIds });
      if (credentials.pairing()?.pairedAt === pairing.pairedAt && ended.length > 0) this.end(ended);
    }
    for (const grantId of grantIds) this.#others.delete(grantId);
  }

  #askIn(ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.ask([]), ms).unref();
  }
}
