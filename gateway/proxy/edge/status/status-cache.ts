import { requestStatus, type StatusAnswer } from '../../../../shared/node/list-ping/request-status.ts';
import { createRateLimit } from '../../../../shared/node/rate-limit.ts';
import type { TunnelLink } from '../links/tunnel-link.ts';

/** A server list shows numbers that are this old. Milliseconds. */
const KEEP_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;
/** Questions to one server at a time, each for another version of clients, and in a second. Beyond it, an answer for another version does. */
const MOST_ASKED = 16;

/** Who asks, and for what. */
export interface StatusQuestion {
  link: TunnelLink;
  /** Of the client: servers for several versions answer each with its own. */
  protocol: number;
  /** What players type. */
  address: { host: string; port: number };
  player: { address: string; port: number };
}

/** Asks each server for its status now and then, however many players want to know it. */
export class StatusCache {
  readonly #byLink = new WeakMap<TunnelLink, Map<number, Promise<StatusAnswer>>>();
  readonly #rate = createRateLimit(() => ({ requestsPerSecond: MOST_ASKED, burst: MOST_ASKED }));
  readonly #onAsk: (bytes: number, link: TunnelLink) => void;

  /** `onAsk` is called with the length of each answer that a server has sent. */
  constructor(onAsk: (bytes: number, link: TunnelLink) => void) {
    this.#onAsk = onAsk;
  }

  /** Rejects if the server does not answer. That is not kept: it may have been about to start. Strangers choose the version, so it opens no way around the limits. */
  read(question: StatusQuestion): Promise<StatusAnswer> {
    const { link, protocol } = question;
    const kept = this.#byLink.get(link) ?? new Map<number, Promise<StatusAnswer>>();
    this.#byLink.set(link, kept);
    const known = kept.get(protocol);
    if (known) return known;
    if (kept.size >= MOST_ASKED || this.#rate.take(link.tunnel.id, performance.now()) > 0) {
      const [other] = kept.values();
      return other ?? Promise.reject(new Error('The server is asked too often'));
    }
    const asking = this.#ask(question);
    kept.set(protocol, asking);
    const forget = () => kept.delete(protocol);
    asking.then(() => setTimeout(forget, KEEP_MS).unref(), forget);
    return asking;
  }

  async #ask({ link, protocol, address, player }: StatusQuestion): Promise<StatusAnswer> {
    const connection = await link.meet(player);
    const timer = setTimeout(() => connection.destroy(), ANSWER_WITHIN_MS);
    connection.on('error', () => undefined); // Followed by 'close'.
    connection.resume();
    try {
      const answer = await requestStatus(connection, { ...address, protocol });
      this.#onAsk(answer.body.length, link);
      return answer;
    } finally {
      clearTimeout(timer);
      connection.destroy();
    }
  }
}
