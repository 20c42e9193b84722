import type { Socket } from 'node:net';
import { addressGroup } from '../address-group.ts';

/** How much of itself a port gives to strangers. */
export interface ConnectionLimits {
  /** Connections at the same time; where there are more, the oldest has to go. */
  readonly most: number;
  /** Of them from one address, or one IPv6 network. */
  readonly mostPerAddress: number;
  /** From the first packet to the last, milliseconds, however busy the connection is. */
  readonly lifetimeMs: number;
}

/** The connections of a port, within its limits. Nobody can keep the others out by holding connections. */
export class LimitedConnections {
  readonly #limits: ConnectionLimits;
  /** In the order in which they came. */
  readonly #sockets = new Map<Socket, string>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** False, and it is hung up on, where its address has had enough. */
  admit(socket: Socket): boolean {
    const address = addressGroup(socket.remoteAddress ?? '');
    const { most, mostPerAddress, lifetimeMs } = this.#limits;
    const siblings = [...this.#sockets.values()].filter((other) => other === address).length;
    if (siblings >= mostPerAddress) {
      socket.destroy();
      return false;
    }
    const [oldest] = this.#sockets.keys();
    if (oldest && this.#sockets.size >= most) oldest.destroy();
    this.#sockets.set(socket, address);
    const timer = setTimeout(() => socket.destroy(), lifetimeMs);
    socket.on('close', () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
    });
    return true;
  }

  /** Ends all of them; what is on its way out still leaves. */
  close(): void {
    for (const socket of this.#sockets.keys()) {
      if (socket.writableEnded) socket.destroySoon();
      else socket.destroy();
    }
  }
}
