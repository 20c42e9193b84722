import t from 'tap';
import { exchangeDatagrams } from '../../../../shared/node/game-query/datagram-exchange.ts';
import { queryQuake3 } from '../../../../shared/node/game-query/query-quake3.ts';
import { startOpenArena } from '../../../support/games/open-arena.ts';
import { udpServerThat } from '../../../support/games/udp-server.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { until } from '../../../support/machine/until.ts';

const OUT_OF_BAND = Buffer.alloc(4, 0xff);
const answer = (text: string) => Buffer.concat([OUT_OF_BAND, Buffer.from(text)]);

t.test('asks OpenArena for its players, without its bots', async (t) => {
  if (!requireProgram(t, 'openarena-server', 'openarena-server')) return;
  const { host, port, type } = await startOpenArena(t, { sv_maxclients: '12' });
  t.match(await queryQuake3({ host, port, timeoutMs: 5_000 }), {
    version: 'Quake3Arena',
    protocol: 71,
    online: 0,
    max: 12,
    sample: [],
    latencyMs: Number,
  });
  type('addbot sarge');
  const status = () =>
    exchangeDatagrams({ host, port, timeoutMs: 5_000 }, ({ ask }) =>
      ask(answer('getstatus'), (message) => String(message)),
    );
  await until('the bot plays', async () => (await status()).includes('"Sarge"'));
  t.match(await queryQuake3({ host, port, timeoutMs: 5_000 }), { online: 0, sample: [] });
});

t.test('names players without colours, and those with a ping before bots', async (t) => {
  const target = await udpServerThat(t, (question, reply) => {
    const [command, challenge] = question.toString('latin1', 4).split(' ');
    if (command === 'getinfo')
      reply(
        answer(
          `infoResponse\n\\challenge\\${challenge}\\gamename\\q3\\clients\\3\\g_humanplayers\\2\\sv_maxclients\\8`,
        ),
      );
    if (command === 'getstatus')
      reply(answer(`statusResponse\n\\challenge\\${challenge}\n0 0 "^1Sarge"\n3 48 "^4An^7na \\b"\n12 20 "B\x07en"\n`));
  });
  t.match(await queryQuake3({ ...target, timeoutMs: 5_000 }), { online: 2, max: 8, sample: ['Anna \\b', 'Ben'] });
});

t.test('counts all clients of a server that does not tell bots from players', async (t) => {
  const target = await udpServerThat(t, (question, reply) => {
    const [command, challenge] = question.toString('latin1', 4).split(' ');
    const values = `\\challenge\\${challenge}\\clients\\1\\sv_maxclients\\8`;
    reply(answer(command === 'getinfo' ? `infoResponse\n${values}` : `statusResponse\n${values}\n0 0 "Anna"\n`));
  });
  t.match(await queryQuake3({ ...target, timeoutMs: 5_000 }), { online: 1, sample: ['Anna'] });
});

t.test('ignores answers to other questions, and reports a malformed one', async (t) => {
  const forged = await udpServerThat(t, (_, reply) => {
    reply(Buffer.from('infoResponse'));
    reply(answer('infoResponse\n\\challenge\\1\\clients\\1\\sv_maxclients\\8'));
  });
  await t.rejects(queryQuake3({ ...forged, timeoutMs: 300 }), { name: 'ListPingError', reason: 'timeout' });
  const nonsense = await udpServerThat(t, (question, reply) => {
    const [command, challenge] = question.toString('latin1', 4).split(' ');
    reply(answer(`${command === 'getinfo' ? 'info' : 'status'}Response\n\\challenge\\${challenge}\\clients\\-1`));
  });
  await t.rejects(queryQuake3({ ...nonsense, timeoutMs: 5_000 }), { name: 'ListPingError', reason: 'malformed' });
  await t.rejects(queryQuake3({ host: '127.0.0.1', port: 9, timeoutMs: 5_000 }), {
    name: 'ListPingError',
    reason: 'refused',
  });
});

t.test('an address that cannot be connected to is reported', async (t) => {
  const target = { host: '255.255.255.255', port: 9, timeoutMs: 5_000 };
  await t.rejects(queryQuake3(target), { name: 'ListPingError', reason: 'refused' });
});
