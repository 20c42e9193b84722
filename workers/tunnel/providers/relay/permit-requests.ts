import type { TunnelPermit, TunnelWish } from '../../../../shared/contract/daemon/link.ts';
import type { FromTunnel, ToTunnel } from '../../../../shared/contract/tunnel.ts';
import { TunnelError } from '../provider.ts';

type Answer = Extract<ToTunnel, { type: 'permit' | 'no-permit' }>;

/** Asks the supervisor, which asks the daemon: the key that signs a permit stays there. */
export class PermitRequests {
  readonly #send: (message: FromTunnel) => void;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  constructor(send: (message: FromTunnel) => void) {
    this.#send = send;
  }

  /** Throws TunnelError if there is no permit. */
  async ask(wish: Omit<TunnelWish, 'id'>): Promise<TunnelPermit> {
    const number = ++this.#last;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#send({ type: 'permit', number, wish });
    });
    if (answer.type === 'no-permit') throw new TunnelError(answer.error);
    return answer.permit;
  }

  answer(answer: Answer): void {
    this.#waiting.get(answer.number)?.(answer);
    this.#waiting.delete(answer.number);
  }
}
