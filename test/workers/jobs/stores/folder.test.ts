import path from 'node:path';
import t, { type Test } from 'tap';
import { openStore } from '../../../../workers/jobs/backups/stores/open-store.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { filesBelow, flipByte } from './far-folder.ts';
import { checkStore } from './store-contract.ts';

const signal = AbortSignal.timeout(100_000);

function openFolder(directory: string, home: string) {
  return openStore(
    { name: 'usb', kind: 'folder', directory },
    { backups: path.join(home, 'backups'), instances: path.join(home, 'instances') },
  );
}

t.test('a folder is a store', async (t: Test) => {
  const home = temporaryFolder(t);
  const directory = temporaryFolder(t);
  const store = await openFolder(directory, home);
  await store.test(signal);
  checkStore(t, {
    open: () => openFolder(directory, home),
    damage: (key) => flipByte(path.join(directory, key)),
    list: () => filesBelow(directory),
    resumes: true,
  });
});
