import type { Socket } from 'node:net';
import { addressGroup } from '../address-group.ts';

/** Limits of a port that anyone can connect to. */
export interface ConnectionLimits {
  /** Maximum number of open connections. Beyond it, the oldest is closed. */
  readonly most: number;
  /** Maximum per address, or per IPv6 network. */
  readonly mostPerAddress: number;
  /** The longest time that a connection may take, milliseconds. */
  readonly lifetimeMs: number;
}

/** Keeps the connections of a port within its limits, so that nobody can block others by holding connections open. */
export class LimitedConnections {
  readonly #limits: ConnectionLimits;
  /** Oldest first. */
  readonly #sockets = new Map<Socket, string>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Returns false, and closes the connection, if its address has too many. */
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

  /** Closes all connections. Data that is being sent still leaves. */
  close(): void {
    for (const socket of this.#sockets.keys()) {
      if (socket.writableEnded) socket.destroySoon();
      else socket.destroy();
    }
  }
}
