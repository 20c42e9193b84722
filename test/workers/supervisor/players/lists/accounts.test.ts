import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { MOST_ACCOUNTS } from '../../../../../shared/domain/players/account.ts';
import { softwareOf } from '../../../../../shared/domain/software/catalogue.ts';
import { offlineUuid } from '../../../../../shared/node/players/offline-uuid.ts';
import { readAccounts } from '../../../../../workers/supervisor/players/lists/accounts.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

const ACCOUNT = '069a79f4-44e9-4726-a5be-fca90e38aaf5';
const definition = softwareOf('vanilla')!;
const none = { isSeen: () => false, isHidden: () => false };
const expiresOn = '2099-12-01 00:00:00 +0000';

t.test(
  'names each account once, and neither other players nor hidden names nor those who were only looked up',
  async (t) => {
    const folder = temporaryFolder(t);
    const write = (name: string, value: unknown) => writeFileSync(path.join(folder, name), JSON.stringify(value));
    write('usercache.json', [
      { name: 'Anna', uuid: ACCOUNT, expiresOn },
      { name: 'Ben', uuid: offlineUuid('Ben'), expiresOn },
      { name: '.Carl', uuid: '00000000-0000-0000-0009-01f2c9a4d7e3', expiresOn },
      { name: 'Secret', uuid: ACCOUNT, expiresOn },
      { name: 'LookedUp', uuid: ACCOUNT, expiresOn },
      { name: 'Eve', uuid: ACCOUNT, expiresOn },
    ]);
    write('ops.json', [
      { name: 'anna', uuid: ACCOUNT },
      { name: 'Dora', uuid: ACCOUNT },
      { name: 'Eve', uuid: ACCOUNT },
    ]);
    const accounts = await readAccounts(
      { folder, definition },
      {
        isSeen: (name) => ['Anna', 'Ben', '.Carl', 'Secret'].includes(name),
        isHidden: (name) => name === 'Secret',
      },
    );
    t.same(accounts, [
      { name: 'Anna', uuid: ACCOUNT },
      { name: 'Dora', uuid: ACCOUNT },
      { name: 'Eve', uuid: ACCOUNT },
    ]);
  },
);

t.test('a file with any number of players names only some', async (t) => {
  const folder = temporaryFolder(t);
  const players = Array.from({ length: MOST_ACCOUNTS + 1 }, (_, index) => ({ name: `P${index}`, uuid: ACCOUNT }));
  writeFileSync(path.join(folder, 'whitelist.json'), JSON.stringify(players));
  t.equal((await readAccounts({ folder, definition }, none)).length, MOST_ACCOUNTS);
});
