import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { PLAYER_LISTS, type PlayerList } from '../../../../../shared/domain/players/player-list.ts';
import { softwareOf } from '../../../../../shared/domain/software/catalogue.ts';
import { readListedPlayers } from '../../../../../workers/supervisor/players/lists/listed-players.ts';
import { freePort } from '../../../../support/machine/free-port.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { runSupervisor } from '../../../../support/processes/running-supervisor.ts';

t.test("reads a server's lists while it runs and when it is stopped", async (t) => {
  const rcon = { port: await freePort(), password: 'correct horse battery' };
  const { service, waitForPhase } = await runSupervisor(t, { config: { rcon } });
  for (const list of PLAYER_LISTS) t.strictSame(await service.listedPlayers(list), [], `${list}: no file yet`);
  await service.start();
  await waitForPhase('running');
  await service.playerAction({ name: 'Mallory', action: 'ban', reason: 'x-ray' });
  await service.playerAction({ name: 'Anna', action: 'op' });
  await service.playerAction({ name: 'Ben', action: 'whitelist' });
  await service.playerAction({ name: 'Carl', action: 'whitelist' });
  await service.playerAction({ name: 'Carl', action: 'unwhitelist' });
  await t.rejects(service.playerAction({ name: 'Carl', action: 'unwhitelist' }), {
    code: 'command_rejected',
    message: 'Player is not whitelisted',
  });
  const check = async () => {
    const [ban, ...otherBans] = await service.listedPlayers('bans');
    t.match(ban, { name: 'Mallory', uuid: /-/, reason: 'x-ray', source: 'Rcon', createdAt: /^\d{4}-.*Z$/ });
    t.equal(ban?.expiresAt, undefined);
    t.same(otherBans, []);
    t.match(await service.listedPlayers('operators'), [{ name: 'Anna', level: 4 }]);
    const allowed = await service.listedPlayers('allowlist');
    t.same(
      allowed.map(({ name }) => name),
      ['Ben'],
    );
  };
  await check();
  await service.stop();
  await waitForPhase('stopped');
  await check();
});

t.test('reads lists of other programs, leaving out invalid parts', async (t) => {
  const entries = [
    { name: 'A', expires: '2027-01-02 03:04:05 +0200', created: 'long ago', reason: 'r'.repeat(9_999) },
    { name: 'B', uuid: 7, expires: 'forever', level: '4', bypassesPlayerLimit: 'yes' },
    { name: 7 },
    { uuid: 'x' },
    null,
    'Steve',
    ['Steve'],
  ];
  const read = await readFrom(t, `\ufeff${JSON.stringify(entries)}`, 'bans');
  t.match(read, [{ name: 'A', expiresAt: '2027-01-02T01:04:05.000Z', reason: 'r'.repeat(500) }, { name: 'B' }]);
  t.equal(read.length, 2);
  t.equal(read[0]?.createdAt, undefined);
  for (const key of ['uuid', 'expiresAt', 'level', 'bypassesPlayerLimit'] as const)
    t.equal(read[1]?.[key], undefined, key);
  t.same(await readFrom(t, '', 'bans'), []);
});

t.test('names a file that is not a list', async (t) => {
  for (const text of ['{"name": "Steve"}', '[{"name": "Steve"', 'null', 'op: Steve'])
    await t.rejects(readFrom(t, text, 'operators'), {
      code: 'invalid_state',
      message: "ops.json in the server's folder is not a JSON list.",
      resolution: /ops\.json/,
    });
  await t.rejects(readFrom(t, `[${' '.repeat(4 * 1024 * 1024)}]`, 'allowlist'), {
    code: 'invalid_state',
    message: /whitelist\.json .* larger than 4 MiB/,
  });
});

t.test('follows a link within the folder, but none out of it', async (t) => {
  const outer = temporaryFolder(t);
  const folder = path.join(outer, 'server');
  mkdirSync(folder);
  const definition = softwareOf('vanilla')!;
  writeFileSync(path.join(outer, 'secrets.json'), '[{"name":"secret"}]');
  symlinkSync('../secrets.json', path.join(folder, 'ops.json'));
  await t.rejects(readListedPlayers('operators', { folder, definition }), {
    code: 'invalid_state',
    message: /ops\.json/,
  });
  writeFileSync(path.join(folder, 'elsewhere.json'), '[{"name":"Anna"}]');
  symlinkSync('elsewhere.json', path.join(folder, 'whitelist.json'));
  t.match(await readListedPlayers('allowlist', { folder, definition }), [{ name: 'Anna' }]);
  mkdirSync(path.join(folder, 'banned-players.json'));
  await t.rejects(readListedPlayers('bans', { folder, definition }), { code: 'invalid_state' });
});

t.test('names software that does not keep the list', async (t) => {
  const folder = temporaryFolder(t);
  const definition = softwareOf('bedrock')!;
  writeFileSync(path.join(folder, 'allowlist.json'), '[{"ignoresPlayerLimit":false,"name":"Two Words","xuid":"253"}]');
  t.match(await readListedPlayers('allowlist', { folder, definition }), [{ name: 'Two Words' }]);
  for (const list of ['bans', 'operators'] as const)
    await t.rejects(readListedPlayers(list, { folder, definition }), {
      code: 'invalid_request',
      message: /Bedrock keeps no/,
    });
  for (const list of PLAYER_LISTS)
    await t.rejects(readListedPlayers(list, { folder, definition: softwareOf('velocity')! }), {
      code: 'invalid_request',
    });
});

const FILES = { bans: 'banned-players.json', operators: 'ops.json', allowlist: 'whitelist.json' };

async function readFrom(t: Test, text: string, list: PlayerList) {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, FILES[list]), text);
  return readListedPlayers(list, { folder, definition: softwareOf('vanilla')! });
}
