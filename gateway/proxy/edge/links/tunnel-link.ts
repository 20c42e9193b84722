import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { MEET_WITHIN_MS, parseToEdge, type ToTunnelProcess } from '../../../../shared/node/tunnel/relay-protocol.ts';
import type { Tunnel } from '../tunnels/tunnels.ts';

const TICKET_BYTES = 16;
/** Players that wait for the tunnel process to connect: all return at once when a server has restarted. */
const MOST_WAITING = 1_000;
/** For the answer to a close frame. */
const CLOSE_GRACE_MS = 2_000;

/** Why a player cannot be connected: in words for the log, never shown. */
export class MeetingError extends Error {
  override name = 'MeetingError';
}

interface Meeting {
  resolve: (connection: Duplex) => void;
  reject: (error: MeetingError) => void;
  timer: NodeJS.Timeout;
}

/** The edge's end of a control link: asks one tunnel process for connections. */
export class TunnelLink {
  readonly tunnel: Tunnel;
  /** Milliseconds of the monotonic clock when the tunnel process was last heard. */
  heardAt = performance.now();
  readonly #socket: WebSocket;
  readonly #meetings = new Map<string, Meeting>();
  /** Called for each datagram to a player. */
  onDatagram: (message: Buffer) => void = () => undefined;
  /** Called when players must no longer come in over this link, perhaps several times. */
  onEnd: () => void = () => undefined;

  constructor(tunnel: Tunnel, socket: WebSocket) {
    this.tunnel = tunnel;
    this.#socket = socket;
    socket.on('error', () => undefined); // Followed by 'close'.
    socket.on('ping', () => {
      this.heardAt = performance.now();
    });
    socket.on('message', (data: Buffer, isBinary) => {
      this.heardAt = performance.now();
      if (isBinary) this.onDatagram(data);
      else this.#refused(parseToEdge(data.toString())?.ticket);
    });
    socket.once('close', () => {
      this.onEnd();
      for (const ticket of this.#meetings.keys()) this.#refused(ticket);
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Resolves to a connection for one player, to which nothing has been written. Rejects with MeetingError if there is none. */
  meet(player: { address: string; port: number }): Promise<Duplex> {
    if (!this.isOpen) return Promise.reject(new MeetingError('the tunnel is gone'));
    if (this.#meetings.size >= MOST_WAITING) return Promise.reject(new MeetingError('too many players wait'));
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#refused(ticket), MEET_WITHIN_MS);
      this.#meetings.set(ticket, { resolve, reject, timer });
      this.#socket.send(
        JSON.stringify({ type: 'player', ticket, ...player } satisfies ToTunnelProcess),
        () => undefined,
      );
    });
  }

  /** Hands over the connection that was opened with this ticket. Returns false if nobody waits for it. */
  met(ticket: string, connection: Duplex): boolean {
    const meeting = this.#end(ticket);
    meeting?.resolve(connection);
    return meeting !== undefined;
  }

  /** Sends a datagram to the tunnel process. `sent` is called when it has left. */
  sendDatagram(message: Buffer, sent: () => void): void {
    this.#socket.send(message, { binary: true }, sent);
  }

  close(code: number, reason: string): void {
    this.onEnd();
    this.#socket.close(code, reason);
    const timer = setTimeout(() => this.#socket.terminate(), CLOSE_GRACE_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** For a tunnel process that is no longer heard. */
  terminate(): void {
    this.#socket.terminate();
  }

  #refused(ticket: string | undefined): void {
    if (ticket !== undefined) this.#end(ticket)?.reject(new MeetingError('the server does not accept players'));
  }

  #end(ticket: string): Meeting | undefined {
    const meeting = this.#meetings.get(ticket);
    this.#meetings.delete(ticket);
    clearTimeout(meeting?.timer);
    return meeting;
  }
}
