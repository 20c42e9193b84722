import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const MODULE = path.resolve(import.meta.dirname, '../../../../shared/node/files/remove-tree.ts');

t.test('removes folders that nobody may write, search or read', { skip: process.platform !== 'linux' }, async (t) => {
  const folder = path.join(temporaryFolder(t), 'tree');
  const modes = { 'read-only/below': 0o500, 'read-only': 0o555, hidden: 0o000, listed: 0o400 };
  for (const name of Object.keys(modes)) {
    mkdirSync(path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, name, 'file'), 'content');
  }
  for (const [name, mode] of Object.entries(modes)) chmodSync(path.join(folder, name), mode);
  const script = `import { removeTree } from ${JSON.stringify(MODULE)}; await removeTree(${JSON.stringify(folder)});`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  // Permissions do not hold root back, unless it gives these capabilities up.
  const asOwner =
    process.geteuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', ...node] : node;
  const [program = '', ...args] = asOwner;
  execFileSync(program, args);
  t.notOk(existsSync(folder));
});
