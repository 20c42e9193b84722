import type { StatusServer } from '../../../shared/node/list-ping/status-server.ts';

/** How soon a port that another program has taken is retried, milliseconds. */
const RETRY_MS = 10_000;

/** The port of a sleeping server: opened while it sleeps, given up for a start. */
export class SleepingPort {
  /** The server that is open or being opened; `undefined` if that failed. */
  #server: Promise<StatusServer | undefined> | undefined;
  /** Settles when every server that was opened before is closed. */
  #closed: Promise<void> = Promise.resolve();
  #isYielded = false;
  #retry: NodeJS.Timeout | undefined;

  /** True while a start uses the port, or is about to take it. */
  get isYielded(): boolean {
    return this.#isYielded;
  }

  /** Does nothing if the port is open; tries again if opening fails. */
  open(openServer: () => Promise<StatusServer>): void {
    this.#server ??= this.#tryToOpen(openServer);
  }

  /** Resolves when the port is free for the game. It stays so until `takeBack`. */
  async yield(): Promise<void> {
    this.#isYielded = true;
    await this.close();
  }

  takeBack(): void {
    this.#isYielded = false;
  }

  /** Resolves when this supervisor no longer listens on the port. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    const opened = this.#server;
    this.#server = undefined;
    this.#closed = this.#closed.then(async () => (await opened)?.close());
    await this.#closed;
  }

  #tryToOpen(openServer: () => Promise<StatusServer>): Promise<StatusServer | undefined> {
    const attempt = openServer().catch(() => {
      // Not if the port was closed meanwhile, or is opened by another attempt.
      if (this.#server === attempt)
        this.#retry = setTimeout(() => {
          this.#server = this.#tryToOpen(openServer);
        }, RETRY_MS);
      return undefined;
    });
    return attempt;
  }
}
