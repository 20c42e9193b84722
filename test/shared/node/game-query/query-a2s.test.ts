import t from 'tap';
import { queryA2s } from '../../../../shared/node/game-query/query-a2s.ts';
import { udpServerThat } from '../../../support/games/udp-server.ts';

const WHOLE = Buffer.from('ffffffff', 'hex');
const CHALLENGE = Buffer.from('4ba1d522', 'hex');
const INFO = 'T'.charCodeAt(0);
const PLAYERS = 'U'.charCodeAt(0);

/** The shape of https://developer.valvesoftware.com/wiki/Server_queries. */
function info({ players, bots, appId = 240 }: { players: number; bots: number; appId?: number }): Buffer {
  const id = Buffer.alloc(2);
  id.writeUInt16LE(appId);
  return Buffer.concat([
    WHOLE,
    Buffer.from('I\x02Counter-Strike Source #1\0de_dust\0cstrike\0Counter-Strike: Source\0'),
    id,
    Buffer.of(players, 16, bots),
    Buffer.from('dl\0\0'),
    ...(appId === 2400 ? [Buffer.of(1, 2, 3)] : []),
    Buffer.from('1.0.0.22\0'),
  ]);
}

function players(names: readonly string[]): Buffer {
  const entries = names.map((name, index) =>
    Buffer.concat([Buffer.of(index), Buffer.from(`${name}\0`), Buffer.from('0e000000b4970044', 'hex')]),
  );
  return Buffer.concat([WHOLE, Buffer.from('D'), Buffer.of(names.length), ...entries]);
}

const isAsked = (question: Buffer, type: number) => question[4] === type;
const challenged = (question: Buffer) => question.subarray(-4).equals(CHALLENGE);
const giveChallenge = Buffer.concat([WHOLE, Buffer.from('A'), CHALLENGE]);

t.test('asks for counts and names, each with the challenge that the server gives', async (t) => {
  const target = await udpServerThat(t, (question, reply) => {
    if (!challenged(question)) reply(giveChallenge);
    else if (isAsked(question, INFO)) reply(info({ players: 2, bots: 0 }));
    else if (isAsked(question, PLAYERS)) reply(players(['[D]---->T.N.W<----', 'Killer \x1b!!!', '']));
  });
  t.match(await queryA2s({ ...target, timeoutMs: 5_000 }), {
    version: '1.0.0.22',
    protocol: 2,
    online: 2,
    max: 16,
    sample: ['[D]---->T.N.W<----', 'Killer !!!'],
    latencyMs: Number,
  });
});

t.test('counts without bots, and without names if the server gives none', async (t) => {
  const target = await udpServerThat(t, (question, reply) => {
    if (isAsked(question, INFO)) reply(info({ players: 5, bots: 4 }));
  });
  t.match(await queryA2s({ ...target, timeoutMs: 5_000 }), { online: 1, sample: [] });
  const silent = await udpServerThat(t, (question, reply) => {
    if (isAsked(question, INFO)) reply(info({ players: 3, bots: 0, appId: 2400 }));
  });
  t.match(await queryA2s({ ...silent, timeoutMs: 5_000 }), { online: 3, sample: [], version: '1.0.0.22' });
});

t.test('puts the parts of a long answer together, whatever their order', async (t) => {
  const names = Array.from({ length: 100 }, (_, index) => `Player ${index}`);
  const target = await udpServerThat(t, (question, reply) => {
    if (isAsked(question, INFO)) return reply(info({ players: 100, bots: 0 }));
    const whole = players(names);
    const parts = [whole.subarray(0, 1_000), whole.subarray(1_000)];
    for (const index of [1, 0]) {
      const header = Buffer.from('feffffff07000000020000e0', 'hex');
      header.writeUInt8(index, 9);
      reply(Buffer.concat([header, parts[index]!]));
    }
  });
  const { sample } = await queryA2s({ ...target, timeoutMs: 5_000 });
  t.same(sample, names);
});

t.test('reports what is no answer', async (t) => {
  const malformed = { name: 'ListPingError', reason: 'malformed' };
  const short = await udpServerThat(t, (_, reply) => reply(info({ players: 1, bots: 0 }).subarray(0, -12)));
  await t.rejects(queryA2s({ ...short, timeoutMs: 5_000 }), malformed);
  const parts = await udpServerThat(t, (_, reply) => reply(Buffer.from('feffffff07000000ff0000e0', 'hex')));
  await t.rejects(queryA2s({ ...parts, timeoutMs: 5_000 }), malformed);
  const packed = await udpServerThat(t, (_, reply) => reply(Buffer.from('feffffff07000080020000e0', 'hex')));
  await t.rejects(queryA2s({ ...packed, timeoutMs: 5_000 }), malformed);
  const other = await udpServerThat(t, (_, reply) => reply(Buffer.from('hello')));
  await t.rejects(queryA2s({ ...other, timeoutMs: 300 }), { name: 'ListPingError', reason: 'timeout' });
});
