import { once } from 'node:events';
import fc from 'fast-check';
import t from 'tap';
import { PacketSplitter } from '../../../../workers/supervisor/rcon/packet-splitter.ts';
import { rconPacket } from '../../../fixtures/rcon-peer.ts';

t.test('the packets do not depend on how the bytes are split into reads', async (t) => {
  const packet = fc.record({ id: fc.integer({ min: 0, max: 99 }), text: fc.string({ maxLength: 40 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(packet, { minLength: 1 }), fc.array(fc.nat({ max: 30 })), async (packets, cuts) => {
      const whole = packets.map(({ id, text }) => rconPacket(id, 0, text));
      let rest = Buffer.concat(whole);
      const pieces: Buffer[] = [];
      for (const cut of cuts) {
        pieces.push(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      return Buffer.concat(await split([...pieces, rest])).equals(Buffer.concat(whole));
    }),
    { numRuns: 200 },
  );
  t.same(await split([Buffer.concat([rconPacket(1, 0, 'a'), rconPacket(2, 0, '')])]), [
    rconPacket(1, 0, 'a'),
    rconPacket(2, 0, ''),
  ]);
});

t.test('fails at a length that no packet can have', async (t) => {
  for (const length of [0, -4, -2147483648, 9, 1024 * 1024 + 1, 2147483647]) {
    const bytes = Buffer.alloc(64);
    bytes.writeInt32LE(length);
    await t.rejects(split([bytes]), new RangeError(`An RCON packet cannot have ${length} bytes`));
  }
});

t.test('accepts packets of up to 1 MiB', async (t) => {
  const longest = rconPacket(1, 0, 'x'.repeat(1024 * 1024 - 10));
  t.same(await split([longest.subarray(0, 1000), longest.subarray(1000)]), [longest]);
});

async function split(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const splitter = new PacketSplitter();
  const packets: Buffer[] = [];
  splitter.on('data', (packet: Buffer) => packets.push(packet));
  const ended = once(splitter, 'end');
  for (const piece of pieces) splitter.write(piece);
  splitter.end();
  await ended;
  return packets;
}
