import { readFile } from 'node:fs/promises';
import { hasErrorCode } from '../../errors/error-code.ts';

/**
 * Reads a record that one of our processes wrote for another. Returns `undefined` if there is none or it is not whole JSON. Throws every
 * other error, such as EMFILE: it says nothing about what the record is of, so callers must not treat that as an end.
 */
export async function readJsonRecord(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EISDIR')) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
