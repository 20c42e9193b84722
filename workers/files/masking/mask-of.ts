import { readSync } from 'node:fs';
import type { Transform } from 'node:stream';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { type MaskOptions, maskLines } from './mask-lines.ts';
import { LOOKED_AT_BYTES, readabilityOf } from './readability.ts';

/** Returns what hides the secrets in part of an open file. Throws `insufficient_scope` for what cannot be masked. */
export function maskOf(
  { descriptor, path }: { descriptor: number; path: string },
  options: Omit<MaskOptions, 'readability'>,
): Transform {
  const beginning = Buffer.alloc(LOOKED_AT_BYTES);
  const length = readSync(descriptor, beginning, 0, LOOKED_AT_BYTES, 0);
  const readability = readabilityOf(splitFilePath(path).name, beginning.subarray(0, length));
  if (readability === 'compressed')
    throw new GamekeeperError('insufficient_scope', 'Secrets in a compressed file cannot be hidden.', {
      resolution: 'Ask an administrator for the right to write files on this server.',
    });
  return maskLines({ readability, ...options });
}
