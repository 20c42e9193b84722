import { chmodSync, writeFileSync } from 'node:fs';
import type { InstallStep } from '../../../../shared/domain/software/definition.ts';
import { fillPlaceholders } from '../../../../shared/domain/software/placeholders.ts';
import { hasErrorCode } from '../../../../shared/errors/error-code.ts';
import { TreeCursor } from '../../../../shared/node/files/tree-cursor.ts';
import type { StepContext } from './step-context.ts';

/** Creates a file. An existing one belongs to the owner and stays. */
export function writeStep(
  { file, text }: Extract<InstallStep, { type: 'write' }>,
  { root, values }: Pick<StepContext, 'root' | 'values'>,
): void {
  using cursor = new TreeCursor(root);
  const place = cursor.placeOf(file, (folder) => chmodSync(folder, 0o755));
  try {
    writeFileSync(place, fillPlaceholders(text, values), { flag: 'wx' });
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  }
}
