import { unlinkSync } from 'node:fs';
import type { InstallStep } from '../../../../shared/domain/software/definition.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';
import { openInFolder } from '../../files/real-place.ts';
import { unpackArchive } from '../unpack-archive.ts';
import type { StepContext } from './step-context.ts';

/** Unpacks an archive in the folder. `isDownload`: it is removed afterwards. */
export async function unpackStep(
  { file, from = '', to = '', keep = [] }: Extract<InstallStep, { type: 'unpack' }>,
  { installation: { run }, options, root }: StepContext,
  isDownload: boolean,
): Promise<void> {
  {
    using archive = await openInFolder(root, file);
    const order = { archive: archive.place, what: `"${file}"`, directory: root, from, to, keep };
    await unpackArchive(order, options.pool, run);
  }
  if (!isDownload) return;
  using cursor = new TreeCursor(root);
  unlinkSync(cursor.placeOf(file));
}
