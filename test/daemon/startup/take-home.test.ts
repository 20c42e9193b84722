import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { takeHome } from '../../../daemon/startup/take-home.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

const HALF_WRITTEN = '.0123456789ab.tmp';

t.test(
  'what a killed daemon was writing is removed, also where the settings are a link, and nothing else',
  async (t) => {
    const elsewhere = temporaryFolder(t);
    writeFileSync(path.join(elsewhere, 'shared.json'), '{}');
    for (const isLink of [false, true]) {
      const home = homeAt(temporaryFolder(t));
      mkdirSync(home.run);
      if (isLink) symlinkSync(path.join(elsewhere, 'shared.json'), home.settings);
      const settings = isLink ? path.join(elsewhere, 'shared.json') : home.settings;
      for (const file of [settings, home.daemonRecord]) writeFileSync(`${file}${HALF_WRITTEN}`, '');
      const others = path.join(path.dirname(settings), `notes.json${HALF_WRITTEN}`);
      writeFileSync(others, '');
      await using cleanup = new AsyncDisposableStack();
      await takeHome(home, cleanup);
      const left = [home.run, path.dirname(settings)].flatMap((folder) =>
        readdirSync(folder).filter((name) => name.endsWith('.tmp')),
      );
      t.same(left, [path.basename(others)]);
    }
  },
);
