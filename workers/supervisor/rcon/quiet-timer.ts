/**
 * Calls back once nothing has happened for a while. Where this process itself was held up meanwhile, what has arrived
 * is looked at first: Node runs late timers before it reads from sockets, and `setImmediate` comes after that.
 */
export class QuietTimer {
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  /** Begins to wait, or begins anew. */
  restart(ms: number, onQuiet: () => void): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#immediate = setImmediate(onQuiet);
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }
}
