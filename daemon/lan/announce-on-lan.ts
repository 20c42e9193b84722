import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import { softwareFor } from '../../shared/domain/software/catalogue.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { Settings } from '../../shared/schema/settings.ts';

/**
 * Where Java Edition listens for worlds that were opened to the local network, and how often it expects to hear of each (minecraft.wiki, "Java Edition
 * protocol/Server List Ping", Ping via LAN).
 */
const GROUP = '224.0.2.60';
const PORT = 4_445;
const EVERY_MS = 1_500;

export interface AnnounceOptions {
  instances: () => InstanceRecord[];
  settings: (signal: AbortSignal) => AsyncIterable<Pick<Settings, 'lan'>>;
  /** Returns the addresses in whose networks to announce. */
  addresses: () => string[];
  log: Pick<Logger, 'warn'>;
}

/** While the settings want it, tells Java Edition on the local network of each server that can be joined. Returns a function that ends this. */
export function announceOnLan({ instances, settings, addresses, log }: AnnounceOptions): () => Promise<void> {
  const ending = new AbortController();
  const sockets = new Map<string, Socket>();
  /** So that each failure is logged once, not every time. */
  const failed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function turn(isOn: boolean): void {
    clearInterval(timer);
    timer = isOn ? setInterval(() => void announce(), EVERY_MS) : undefined;
    if (isOn) return void announce();
    for (const socket of sockets.values()) socket.close();
    sockets.clear();
  }

  async function announce(): Promise<void> {
    const messages = instances().filter(isJoinable).map(announcementOf);
    if (messages.length > 0) await Promise.all(addresses().map((address) => announceFrom(address, messages)));
  }

  async function announceFrom(address: string, messages: Buffer[]): Promise<void> {
    try {
      const socket = sockets.get(address) ?? (await openSocket(address));
      if (ending.signal.aborted || !timer) return void (sockets.has(address) || socket.close());
      sockets.set(address, socket);
      await Promise.all(messages.map((message) => send(socket, message)));
      failed.delete(address);
    } catch (error) {
      sockets.get(address)?.close();
      sockets.delete(address);
      if (!failed.has(address)) log.warn({ err: error, address }, 'the servers could not be announced on the network');
      failed.add(address);
    }
  }

  const following = (async () => {
    for await (const { lan } of settings(ending.signal)) turn(lan.announce);
  })();
  return async () => {
    ending.abort();
    await following;
    turn(false);
  };
}

function isJoinable({ config, runtime: { phase } }: InstanceRecord): boolean {
  const isUp = phase === 'running' || phase === 'sleeping';
  const software = softwareFor(config);
  return isUp && software?.edition === 'java' && software.listPing;
}

/** The game shows the text, and connects to the port at the address that the message comes from. */
function announcementOf({ config: { name, port } }: InstanceRecord): Buffer {
  return Buffer.from(`[MOTD]${name.replaceAll('[/MOTD]', '')}[/MOTD][AD]${port}[/AD]`);
}

async function openSocket(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  socket.setMulticastInterface(address);
  // A failure to send is reported to the sender.
  socket.on('error', () => undefined);
  return socket;
}

function send(socket: Socket, message: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(message, PORT, GROUP, (error) => (error ? reject(error) : resolve()));
  });
}
