import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../machine/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Creates the folder of another version: the programs of this one, in another place. */
export function otherVersion(t: Test): string {
  const folder = join(temporaryFolder(t), 'other version');
  mkdirSync(folder);
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (source) => !source.endsWith('.map') && !source.endsWith('.cache'),
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
