import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { endFormerChildren } from '../../../daemon/processes/former-children.ts';
import { homeAt } from '../../../shared/node/files/home.ts';

t.test('a record that a killed daemon was writing is removed, and nothing that others write', async (t) => {
  const home = homeAt(t.testdir());
  mkdirSync(home.run);
  for (const name of ['gateway.process.0123456789ab.tmp', 'upgrade.json.0123456789ab.tmp'])
    writeFileSync(path.join(home.run, name), '');
  await endFormerChildren(home);
  t.same(readdirSync(home.run), ['upgrade.json.0123456789ab.tmp']);
});
