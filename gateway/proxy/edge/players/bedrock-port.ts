import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../../../shared/errors/error-code.ts';
import { addressGroup } from '../../../../shared/node/address-group.ts';
import { DatagramQueue, PEER_IDLE_MS, readDatagram } from '../../../../shared/node/tunnel/datagrams.ts';
import type { TunnelLink } from '../links/tunnel-link.ts';
import type { AccountTraffic } from './account-traffic.ts';
import { opensConnection, sendsGameData } from './raknet.ts';
import type { TurnedAway } from './turned-away.ts';
import type { Visitors } from './visitors.ts';

/** Somebody who has only asked for the status, perhaps in the name of others. Milliseconds. */
const STRANGER_IDLE_MS = 5_000;
/** Beyond it, the oldest stranger is forgotten. */
const MOST_STRANGERS = 256;
const SWEEP_EVERY_MS = 2_500;
const ATTEMPTS = 20;
const AGAIN_MS = 100;
const LARGEST_PEER = 0xffffffff;

export interface BedrockPortOptions {
  host: string | undefined;
  port: number;
  link: Pick<TunnelLink, 'tunnel' | 'sendDatagram'>;
  traffic: AccountTraffic;
  visitors: Visitors;
  turnedAway: Pick<TurnedAway, 'count'>;
  groupOf?: ((address: string) => string) | undefined;
}

interface Peer {
  number: number;
  address: string;
  port: number;
  heardAt: number;
  isAnswered: boolean;
  /** Gives the place of a player back; absent for strangers. */
  leave?: () => void;
  /** Gives the place of a connection back. */
  left: () => void;
}

/** The UDP port of one server, for players of Bedrock Edition. */
export class BedrockPort {
  readonly #options: BedrockPortOptions;
  readonly #socket: Socket;
  readonly #queue: DatagramQueue;
  readonly #byAddress = new Map<string, Peer>();
  readonly #byNumber = new Map<number, Peer>();
  /** Oldest first. */
  readonly #strangers = new Set<Peer>();
  readonly #sweeping: NodeJS.Timeout;
  #last = 0;
  #isClosed = false;

  constructor(options: BedrockPortOptions) {
    const { host, link } = options;
    this.#options = options;
    this.#queue = new DatagramQueue((message, sent) => link.sendDatagram(message, sent));
    this.#socket = createSocket({ type: host !== undefined && isIPv4(host) ? 'udp4' : 'udp6' });
    this.#socket.on('message', (content, from) => this.#fromPlayer(content, from));
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref();
  }

  /** Rejects if the port cannot be opened. */
  async open(): Promise<void> {
    for (let attempt = 1; !this.#isClosed; attempt++)
      try {
        await this.#bind();
        break;
      } catch (error) {
        // The port of the former control link may still be closing.
        if (errorCode(error) !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error;
        await delay(AGAIN_MS);
      }
    this.#socket.on('error', () => undefined); // Of one datagram.
  }

  /** Sends a datagram of the server to its player. */
  fromServer(message: Buffer): void {
    const { peer: number, content } = readDatagram(message) ?? {};
    const peer = this.#byNumber.get(number ?? 0);
    const { traffic, link } = this.#options;
    if (!peer || !content || !traffic.tryTake(link.tunnel.accountId, content.length)) return;
    peer.isAnswered = true;
    this.#socket.send(content, peer.port, peer.address, () => undefined);
  }

  async #bind(): Promise<void> {
    const { host, port } = this.#options;
    this.#socket.bind({ port, ...(host !== undefined && { address: host }) });
    await once(this.#socket, 'listening');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#sweeping);
    for (const peer of this.#byNumber.values()) this.#forget(peer);
    try {
      this.#socket.close();
    } catch {
      // It could not be opened, or is opening.
    }
  }

  #fromPlayer(content: Buffer, { address, port }: RemoteInfo): void {
    const peer = this.#byAddress.get(`${address} ${port}`) ?? this.#meet(content, { address, port });
    if (!peer) return;
    const { traffic, link } = this.#options;
    if (!peer.leave && peer.isAnswered && sendsGameData(content) && !this.#admit(peer)) return;
    peer.heardAt = performance.now();
    if (traffic.tryTake(link.tunnel.accountId, content.length)) this.#queue.push({ peer: peer.number, content });
  }

  /** Only what begins a conversation of Bedrock Edition makes a peer: the port is no general proxy. */
  #meet(content: Buffer, { address, port }: { address: string; port: number }): Peer | undefined {
    const { groupOf = addressGroup } = this.#options;
    const left = this.#arrive(content, groupOf(address));
    if (!left) return undefined;
    const [oldest] = this.#strangers;
    if (oldest && this.#strangers.size >= MOST_STRANGERS) this.#forget(oldest);
    do this.#last = this.#last >= LARGEST_PEER ? 1 : this.#last + 1;
    while (this.#byNumber.has(this.#last));
    const peer = { number: this.#last, address, port, heardAt: performance.now(), isAnswered: false, left };
    this.#byAddress.set(`${address} ${port}`, peer);
    this.#byNumber.set(peer.number, peer);
    this.#strangers.add(peer);
    return peer;
  }

  /** Returns how to give the place of a connection back; `undefined` if the sender is turned away. */
  #arrive(content: Buffer, group: string): (() => void) | undefined {
    const { visitors, traffic, link, turnedAway } = this.#options;
    const refusal = opensConnection(content) ? traffic.refusal(link.tunnel.accountId) : 'no-handshake';
    const left = refusal === undefined && visitors.arrives(group) ? visitors.enters(group, link.tunnel.id) : undefined;
    if (!left) turnedAway.count(refusal ?? 'limited');
    return left;
  }

  /** Counts a stranger as a player. Returns false if the account has too many. */
  #admit(peer: Peer): boolean {
    const { traffic, link } = this.#options;
    const { accountId } = link.tunnel;
    if (traffic.refusal(accountId)) return false;
    this.#strangers.delete(peer);
    peer.leave = traffic.enter(accountId, () => this.#forget(peer));
    return true;
  }

  #forget(peer: Peer): void {
    this.#byAddress.delete(`${peer.address} ${peer.port}`);
    this.#byNumber.delete(peer.number);
    this.#strangers.delete(peer);
    peer.left();
    peer.leave?.();
  }

  #sweep(): void {
    const now = performance.now();
    for (const peer of this.#byNumber.values())
      if (now - peer.heardAt > (peer.leave ? PEER_IDLE_MS : STRANGER_IDLE_MS)) this.#forget(peer);
  }
}
