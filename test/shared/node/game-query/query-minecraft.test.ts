import t from 'tap';
import { queryMinecraft } from '../../../../shared/node/game-query/query-minecraft.ts';
import { udpServerThat } from '../../../support/games/udp-server.ts';

/** The shape of https://minecraft.wiki/w/Query. */
const VALUES = 'hostname\0A Minecraft Server\0gametype\0SMP\0version\x001.21.4\0numplayers\x002\0maxplayers\x0020\0\0';
const PLAYERS = '\x01player_\0\0Anna\0Ben\0\0';

function status(question: Buffer, values: string): Buffer {
  return Buffer.concat([
    Buffer.of(0),
    question.subarray(3, 7),
    Buffer.from(`splitnum\0\x80\0${values}${PLAYERS}`, 'latin1'),
  ]);
}

t.test('asks a server for its players, with the token that it gives', async (t) => {
  const target = await udpServerThat(t, (question, reply) => {
    if (question[2] === 9) reply(Buffer.concat([Buffer.of(9), question.subarray(3, 7), Buffer.from('-9513307\0')]));
    else if (question.readInt32BE(7) === -9513307 && question.length === 15) reply(status(question, VALUES));
  });
  t.match(await queryMinecraft({ ...target, timeoutMs: 5_000 }), {
    version: '1.21.4',
    online: 2,
    max: 20,
    sample: ['Anna', 'Ben'],
    latencyMs: Number,
  });
});

t.test('reports what is no answer', async (t) => {
  const without = await udpServerThat(t, (question, reply) => {
    if (question[2] === 9) reply(Buffer.concat([Buffer.of(9), question.subarray(3, 7), Buffer.from('7\0')]));
    else reply(status(question, 'hostname\0x\0\0'));
  });
  await t.rejects(queryMinecraft({ ...without, timeoutMs: 5_000 }), { name: 'ListPingError', reason: 'malformed' });
  const token = await udpServerThat(t, (question, reply) =>
    reply(Buffer.concat([Buffer.of(9), question.subarray(3, 7), Buffer.from('seven\0')])),
  );
  await t.rejects(queryMinecraft({ ...token, timeoutMs: 5_000 }), { name: 'ListPingError', reason: 'malformed' });
  const other = await udpServerThat(t, (_, reply) => reply(Buffer.from('\x09\0\0\0\x017\0')));
  await t.rejects(queryMinecraft({ ...other, timeoutMs: 300 }), { name: 'ListPingError', reason: 'timeout' });
});
