import type { ClientChannel } from 'ssh2';

/** Sends packets of our own over a channel and collects the answers. */
export interface RawPackets {
  /** Sends bytes as they are. */
  raw(bytes: Buffer): void;
  /** Sends a packet with its length. */
  send(type: number, ...fields: (Buffer | string | number | bigint)[]): void;
  /** Resolves to the next packet, without its length; to `undefined` at the end. */
  next(): Promise<Buffer | undefined>;
  /** Sends the first packet and reads the answer. */
  begin(): Promise<void>;
}

export function rawPackets(channel: ClientChannel): RawPackets {
  let received = Buffer.alloc(0);
  const chunks = channel[Symbol.asyncIterator]();
  const packets: RawPackets = {
    raw: (bytes) => void channel.write(bytes),
    send(type, ...fields) {
      const body = Buffer.concat([Buffer.from([type]), ...fields.map(encoded)]);
      packets.raw(Buffer.concat([encoded(body.length), body]));
    },
    async next() {
      for (;;) {
        const length = received.length < 4 ? undefined : received.readUInt32BE();
        if (length !== undefined && received.length >= 4 + length) {
          const packet = received.subarray(4, 4 + length);
          received = received.subarray(4 + length);
          return packet;
        }
        const { value, done } = await chunks.next();
        if (done) return undefined;
        received = Buffer.concat([received, value as Buffer]);
      }
    },
    async begin() {
      packets.send(1, 3);
      await packets.next();
    },
  };
  return packets;
}

/** Texts and bytes are strings of the protocol, numbers have four bytes, and big ones eight. */
function encoded(field: Buffer | string | number | bigint): Buffer {
  if (Buffer.isBuffer(field)) return field;
  if (typeof field === 'string') return Buffer.concat([encoded(Buffer.byteLength(field)), Buffer.from(field)]);
  const bytes = Buffer.alloc(typeof field === 'bigint' ? 8 : 4);
  if (typeof field === 'bigint') bytes.writeBigUInt64BE(field);
  else bytes.writeUInt32BE(field);
  return bytes;
}
