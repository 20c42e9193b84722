import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { VERSION } from '../../../shared/domain/version.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Creates the folder of another version: the programs of this one, in another place. With `version`, they report that. */
export function otherVersion(t: Test, version = VERSION): string {
  const folder = join(temporaryFolder(t), 'other version');
  mkdirSync(folder);
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (source) => !source.endsWith('.map') && !source.endsWith('.cache'),
  });
  if (version !== VERSION)
    for (const file of globSync('dist/**/*.js', { cwd: folder })) {
      const text = readFileSync(join(folder, file), 'utf8');
      if (text.includes(`"${VERSION}"`))
        writeFileSync(join(folder, file), text.replaceAll(`"${VERSION}"`, `"${version}"`));
    }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
