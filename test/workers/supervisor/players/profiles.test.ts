import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { offlineUuid } from '../../../../shared/node/players/offline-uuid.ts';
import { profileFor, readProfiles } from '../../../../workers/supervisor/players/profiles.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const ACCOUNT = '069a79f4-44e9-4726-a5be-fca90e38aaf5';
const definition = softwareOf('vanilla')!;

t.test("reads UUIDs from the server's cache and lists, leaving out what is none", async (t) => {
  const folder = temporaryFolder(t);
  t.same(await readProfiles({ folder, definition }), [], 'a server that has never run');
  const write = (name: string, value: unknown) => writeFileSync(path.join(folder, name), JSON.stringify(value));
  write('usercache.json', [{ name: 'Anna', uuid: ACCOUNT, expiresOn: '2026-12-01 00:00:00 +0000' }, null, 'x']);
  write('ops.json', [
    { name: 'Ben', uuid: ACCOUNT.toUpperCase() },
    { name: 'Carl', uuid: `${ACCOUNT}"` },
    { name: 'Dora' },
  ]);
  writeFileSync(path.join(folder, 'whitelist.json'), 'damaged');
  mkdirSync(path.join(folder, 'banned-players.json'));
  t.same(await readProfiles({ folder, definition }), [
    { name: 'Anna', uuid: ACCOUNT },
    { name: 'Ben', uuid: ACCOUNT.toUpperCase() },
  ]);
});

t.test('a known player has the UUID and the spelling that the server knows', async (t) => {
  const known = [{ name: 'Anna', uuid: ACCOUNT }];
  for (const isOnlineMode of [true, false]) t.equal(profileFor('aNNa', { known, isOnlineMode }), known[0]);
});

t.test('an unknown player has a UUID in offline mode only', async (t) => {
  const ben = { name: 'Ben', uuid: offlineUuid('Ben') };
  const seen = [{ name: 'Carl', uuid: offlineUuid('Carl') }];
  t.same(profileFor('Ben', { known: [], isOnlineMode: false }), ben);
  t.same(profileFor('Ben', { known: seen, isOnlineMode: false }), ben);
  const refused = { code: 'player_not_found', resolution: /Start the server.*join once/ };
  t.throws(() => profileFor('Ben', { known: seen, isOnlineMode: true }), refused);
  t.throws(() => profileFor('.Ben', { known: [], isOnlineMode: false }), refused, 'a player of Bedrock');
  const behindProxy = [{ name: 'Anna', uuid: ACCOUNT }];
  t.throws(() => profileFor('Ben', { known: behindProxy, isOnlineMode: false }), refused, 'a proxy forwards accounts');
});
