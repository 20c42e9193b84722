import t from 'tap';
import { createAdminSession } from '../../../../workers/supervisor/admin/admin-session.ts';
import { createQuake3Rcon } from '../../../../workers/supervisor/admin/quake3-rcon.ts';
import { createRconTally } from '../../../../workers/supervisor/rcon/tally.ts';
import { startOpenArena } from '../../../support/games/open-arena.ts';
import { udpServerThat } from '../../../support/games/udp-server.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';

const password = 'arena-secret';
/** Of an answer, at most (ioquake3, code/server/server.h: SV_OUTPUTBUF_LENGTH). */
const PACKET_BYTES = 1_008;
const LIMIT = { timeoutMs: 10_000 };

t.test('OpenArena takes commands over RCON', async (t) => {
  if (!requireProgram(t, 'openarena-server', 'openarena-server')) return;
  const { host, port } = await startOpenArena(t, { rconPassword: password });
  const tally = createRconTally();
  const session = createAdminSession(createQuake3Rcon({ host, port, password }), tally);
  t.match(await session.run('status', LIMIT), /^map: oa_dm1\n/);
  t.match(await session.run('sv_maxclients', LIMIT), /^"sv_maxclients" is:"8/, 'without colours');
  const long = await session.run('cvarlist', LIMIT);
  const variables = long.split('\n').filter((line) => line.includes('"'));
  t.match(long, `\n${variables.length} total cvars`, 'an answer of several packets is whole');
  t.ok(long.length > 4 * PACKET_BYTES, `${long.length} characters`);
  t.notOk(session.isBusy);
  const wrong = createAdminSession(createQuake3Rcon({ host, port, password: 'no' }), tally);
  await t.rejects(wrong.run('status', LIMIT), { name: 'RconError', reason: 'password-refused' });
  const blank = createAdminSession(createQuake3Rcon({ host, port, password: 'two words' }), tally);
  await t.rejects(blank.run('status', LIMIT), { name: 'RconError', reason: 'password-refused' });
  t.equal(tally.errors, 2);
});

t.test('a server that is silent or closed is reported', async (t) => {
  const { host, port } = await udpServerThat(t, (_, reply) => reply(Buffer.from('hello')));
  const silent = createAdminSession(createQuake3Rcon({ host, port, password }), createRconTally());
  await t.rejects(silent.run('status', { timeoutMs: 200 }), { name: 'RconError', reason: 'timeout' });
  const waiting = silent.run('status', LIMIT);
  silent.close();
  await t.rejects(waiting, { name: 'RconError', reason: 'closed' });
  await t.rejects(silent.run('status', LIMIT), { name: 'RconError', reason: 'closed' });
  const closed = createAdminSession(createQuake3Rcon({ host, port: 9, password }), createRconTally());
  await t.rejects(closed.run('status', LIMIT), { name: 'RconError', reason: 'refused' });
});

t.test('an address that cannot be connected to is reported', async (t) => {
  const session = createAdminSession(
    createQuake3Rcon({ host: '255.255.255.255', port: 9, password }),
    createRconTally(),
  );
  await t.rejects(session.run('status', LIMIT), { name: 'RconError', reason: 'refused' });
});
