/** CVE-2024-27102: a folder becomes a link between the request to download it and the moment when it is read. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { exportFolder } from '../../workers/pool/archive/export.ts';
import { Progress } from '../../workers/pool/progress.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';

t.test('nothing outside is read', async (t) => {
  const root = temporaryFolder(t);
  const outside = temporaryFolder(t);
  writeFileSync(path.join(outside, 'secret'), 'secret');
  mkdirSync(path.join(root, 'real'));
  symlinkSync(outside, path.join(root, 'plugins'));
  for (const source of [path.join(root, 'plugins'), path.join(root, 'plugins/.')])
    await t.rejects(exportFolder({ source, socket: '/nowhere', progress: new Progress().memory }), {
      code: 'invalid_state',
      cause: { code: /ELOOP|ENOTDIR/ },
    });
});
