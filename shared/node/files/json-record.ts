import { readFile } from 'node:fs/promises';
import { hasErrorCode } from '../../errors/error-code.ts';

/**
 * Reads a record that one process wrote for another. Returns `undefined` if there is none or it is not valid JSON. Throws any other error, such
 * as EMFILE: callers must not conclude that the recorded process is gone.
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

/** Reads what this process wrote earlier and can do without. Returns `undefined` if it is missing, cannot be read, or is not valid. */
export async function readValidJson<T>(file: string, schema: { parse(value: unknown): T }): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
