import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { softwareOf } from '../../../../../shared/domain/software/catalogue.ts';
import { offlineUuid } from '../../../../../shared/node/players/offline-uuid.ts';
import { profileFor, readProfiles } from '../../../../../workers/supervisor/players/lists/profiles.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

const ACCOUNT = '069a79f4-44e9-4726-a5be-fca90e38aaf5';
const definition = softwareOf('vanilla')!;

t.test("reads UUIDs from the server's cache and lists, leaving out what is none", async (t) => {
  const folder = temporaryFolder(t);
  const none = { known: [], hasAccounts: false };
  t.same(await readProfiles({ folder, definition }), none, 'a server that has never run');
  const write = (name: string, value: unknown) => writeFileSync(path.join(folder, name), JSON.stringify(value));
  write('usercache.json', [{ name: 'Anna', uuid: ACCOUNT, expiresOn: '2099-12-01 00:00:00 +0000' }, null, 'x']);
  write('ops.json', [
    { name: 'Ben', uuid: ACCOUNT.toUpperCase() },
    { name: 'Carl', uuid: `${ACCOUNT}"` },
    { name: 'Dora' },
  ]);
  writeFileSync(path.join(folder, 'whitelist.json'), 'damaged');
  mkdirSync(path.join(folder, 'banned-players.json'));
  t.same(await readProfiles({ folder, definition }), {
    known: [
      { name: 'Anna', uuid: ACCOUNT },
      { name: 'Ben', uuid: ACCOUNT.toUpperCase() },
    ],
    hasAccounts: true,
  });
});

t.test('an entry of the cache that has expired names nobody, but shows that there are accounts', async (t) => {
  const folder = temporaryFolder(t);
  const expired = ['2026-01-01 00:00:00 +0000', 'some day', undefined];
  const cached = expired.map((expiresOn) => ({ name: 'Anna', uuid: ACCOUNT, expiresOn }));
  writeFileSync(path.join(folder, 'usercache.json'), JSON.stringify(cached));
  t.same(await readProfiles({ folder, definition }), { known: [], hasAccounts: true });
});

t.test('a known player has the UUID and the spelling that the server knows', async (t) => {
  const known = [{ name: 'Anna', uuid: ACCOUNT }];
  for (const isOnlineMode of [true, false])
    t.equal(profileFor('aNNa', { known, hasAccounts: true, isOnlineMode }), known[0]);
});

t.test('an unknown player has a UUID in offline mode only', async (t) => {
  const ben = { name: 'Ben', uuid: offlineUuid('Ben') };
  const seen = [{ name: 'Carl', uuid: offlineUuid('Carl') }];
  t.same(profileFor('Ben', { known: [], hasAccounts: false, isOnlineMode: false }), ben);
  t.same(profileFor('Ben', { known: seen, hasAccounts: false, isOnlineMode: false }), ben);
  const refused = { code: 'player_not_found', resolution: /Start the server.*join once/ };
  t.throws(() => profileFor('Ben', { known: seen, hasAccounts: false, isOnlineMode: true }), refused);
  t.throws(() => profileFor('Carl', { known: seen, hasAccounts: false, isOnlineMode: true }), refused, 'of a name');
  t.throws(() => profileFor('.Ben', { known: [], hasAccounts: false, isOnlineMode: false }), refused, 'of Bedrock');
  const behindProxy = { known: [], hasAccounts: true, isOnlineMode: false };
  t.throws(() => profileFor('Ben', behindProxy), refused, 'a proxy forwards accounts');
});
