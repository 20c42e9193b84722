import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startOf } from '../../../../workers/jobs/software/find-start.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { kindOf } from './steps/steps-world.ts';

t.test('a program may have its version in its name', async (t) => {
  const folder = temporaryFolder(t);
  const launch = { type: 'installed', program: { [process.platform]: 'game-{version}' }, args: [], env: {} } as const;
  const kind = kindOf([{ type: 'mkdir', folder: 'x' }], { launch });
  t.equal(await startOf(kind, folder, { version: '2', build: '' }), undefined);
  const program = path.join(folder, 'game-2');
  writeFileSync(program, '');
  t.same(await startOf(kind, folder, { version: '2', build: '' }), { program });
});
