import t from 'tap';
import { readFirstPacket } from '../../../../gateway/proxy/edge/players/first-packet.ts';
import { encodeFrame, encodeText, encodeVarInt } from '../../../../shared/node/list-ping/packets.ts';

function handshake(host: string, next = 2): Buffer {
  return encodeFrame(
    0,
    Buffer.concat([encodeVarInt(767), encodeText(host), Buffer.of(0x63, 0xdd), encodeVarInt(next)]),
  );
}

/** `FE 01 FA`, as clients from 1.6 send it. */
function legacyPing(host: string): Buffer {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const short = (value: number) => Buffer.of(value >> 8, value & 0xff);
  const rest = Buffer.concat([Buffer.of(78), short(host.length), utf16(host), Buffer.of(0, 0, 0x63, 0xdd)]);
  return Buffer.concat([Buffer.of(0xfe, 1, 0xfa), short(11), utf16('MC|PingHost'), short(rest.length), rest]);
}

t.test('the name that a player typed', async (t) => {
  const written = {
    'friends.play.example.net': 'friends.play.example.net',
    'FRIENDS.Play.Example.Net.': 'friends.play.example.net',
    'friends.play.example.net\0FML2\0': 'friends.play.example.net',
    'friends.play.example.net///203.0.113.7:5000///1700000000': 'friends.play.example.net',
  };
  for (const [sent, host] of Object.entries(written)) {
    for (const next of [2, 3]) t.same(readFirstPacket(handshake(sent, next)), { host });
    t.same(readFirstPacket(handshake(sent, 1)), { host, statusFor: 767 });
    if (!sent.includes('\0')) t.same(readFirstPacket(legacyPing(sent)), { host });
  }
});

t.test('a packet that is not complete', async (t) => {
  for (const whole of [handshake('friends.play.example.net'), legacyPing('friends.play.example.net')])
    for (let length = 0; length < whole.length - 6; length++)
      t.equal(readFirstPacket(whole.subarray(0, length)), undefined, `${length} bytes`);
});

t.test('anything else is refused', async (t) => {
  const proxyHeader = Buffer.from('0d0a0d0a000d0a515549540a2111000c7f0000017f00000104d263dd', 'hex');
  const refused = {
    'an unknown next state': handshake('friends.play.example.net', 4),
    'more than a handshake in the packet': encodeFrame(0, Buffer.concat([handshake('a.b').subarray(2), Buffer.of(0)])),
    'another packet': encodeFrame(1, Buffer.alloc(8)),
    'a long packet': encodeFrame(0, Buffer.alloc(4096)),
    'a header of the PROXY protocol, version 1': Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n'.padEnd(200)),
    'a header of the PROXY protocol, version 2': proxyHeader,
    'a ping of a client before 1.6': Buffer.of(0xfe, 1, 0xfa, 0, 3),
    'a request over HTTP': Buffer.from('GET / HTTP/1.1\r\nHost: friends.play.example.net\r\n\r\n'.padEnd(200)),
    'a greeting of TLS': Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, ...Buffer.alloc(64)]),
  };
  for (const [what, bytes] of Object.entries(refused)) t.throws(() => readFirstPacket(bytes), RangeError, what);
});

t.test('no bytes of strangers lead to another error', async (t) => {
  for (let round = 0; round < 20_000; round++) {
    const bytes = Buffer.from(Array.from({ length: round % 64 }, () => Math.floor(Math.random() * 256)));
    try {
      readFirstPacket(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  t.pass();
});
