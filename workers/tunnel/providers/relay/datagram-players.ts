import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import {
  DatagramQueue,
  PEER_IDLE_MS,
  readDatagram,
  type SendMessage,
} from '../../../../shared/node/tunnel/datagrams.ts';
import type { Traffic } from '../traffic.ts';

/** Each has a socket of its own. */
const MOST_PEERS = 1_024;
const SWEEP_EVERY_MS = 5_000;

export interface DatagramPlayersOptions {
  target: () => TunnelTarget;
  send: SendMessage;
  traffic: Traffic;
}

interface Peer {
  socket: Socket;
  heardAt: number;
}

/** Connects players of Bedrock Edition with the game: each has a port of this computer, so that the game can tell them apart. */
export class DatagramPlayers {
  readonly #target: () => TunnelTarget;
  readonly #queue: DatagramQueue;
  readonly #traffic: Traffic;
  /** Oldest first. */
  readonly #peers = new Map<number, Peer>();
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref();

  constructor({ target, send, traffic }: DatagramPlayersOptions) {
    this.#target = target;
    this.#queue = new DatagramQueue(send);
    this.#traffic = traffic;
  }

  /** Passes a message of the edge on to the game. */
  receive(message: Buffer): void {
    const { peer: number, content } = readDatagram(message) ?? {};
    if (number === undefined || !content) return;
    const { host, port } = this.#target();
    const peer = this.#peers.get(number) ?? this.#open(number, host);
    peer.heardAt = performance.now();
    this.#traffic.add({ fromPlayers: content.length, toPlayers: 0 });
    peer.socket.send(content, port, host, () => undefined); // The game may not listen yet.
  }

  close(): void {
    clearInterval(this.#sweeping);
    for (const number of this.#peers.keys()) this.#forget(number);
  }

  #open(number: number, host: string): Peer {
    const [oldest] = this.#peers.keys();
    if (oldest !== undefined && this.#peers.size >= MOST_PEERS) this.#forget(oldest);
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.on('error', () => undefined); // Of one datagram.
    socket.on('message', (content, from) => {
      // Only the game answers.
      if (from.port !== this.#target().port) return;
      this.#traffic.add({ fromPlayers: 0, toPlayers: content.length });
      this.#queue.push({ peer: number, content });
    });
    const peer = { socket, heardAt: performance.now() };
    this.#peers.set(number, peer);
    return peer;
  }

  #forget(number: number): void {
    this.#peers.get(number)?.socket.close();
    this.#peers.delete(number);
  }

  #sweep(): void {
    const oldest = performance.now() - PEER_IDLE_MS;
    for (const [number, { heardAt }] of this.#peers) if (heardAt < oldest) this.#forget(number);
  }
}
