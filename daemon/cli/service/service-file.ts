import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { Failure } from '../api/failure.ts';
import { MARK } from './definition.ts';
import type { ServicePlan } from './service-plan.ts';

/** The system's service manager reads it as well. It contains no secrets. */
const READABLE = 0o644;
const BYTE_ORDER_MARK = '\ufeff';

/** Returns the content of the file; `undefined` if there is none. */
export async function readService({
  file,
  encoding,
}: Pick<ServicePlan, 'file' | 'encoding'>): Promise<string | undefined> {
  try {
    return (await readFile(file, encoding)).replace(BYTE_ORDER_MARK, '');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns whether Gamekeeper did not write it. */
export function isForeign(content: string | undefined): boolean {
  // XML escapes the quotes.
  return content !== undefined && !content.replaceAll('&quot;', '"').includes(MARK);
}

export async function writeService(
  { file, encoding }: Pick<ServicePlan, 'file' | 'encoding'>,
  content: string,
): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const bytes = encoding === 'utf8' ? content : Buffer.from(BYTE_ORDER_MARK + content, encoding);
    await writeFileAtomically(file, bytes, READABLE);
  } catch (error) {
    throw new Failure(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

export async function removeService(file: string): Promise<void> {
  await rm(file, { force: true }).catch((error: Error) => {
    throw new Failure(`${file} cannot be removed: ${error.message}`, { cause: error });
  });
}
