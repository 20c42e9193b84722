import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** More than thousands of operators. */
const LARGEST_FILE_BYTES = 1024 * 1024;

/** Names of a server's operators with their UUIDs, from its `ops.json`; empty where there is none that can be read. */
export async function readOperators(folder: string): Promise<Map<string, string>> {
  const operators = new Map<string, string>();
  for (const entry of await entries(path.join(folder, 'ops.json'))) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { name, uuid } = entry as { name?: unknown; uuid?: unknown };
    if (typeof name === 'string') operators.set(name, typeof uuid === 'string' ? uuid : '');
  }
  return operators;
}

/** The file is the server's: a broken one costs the marks in a list, nothing else. */
async function entries(file: string): Promise<unknown[]> {
  try {
    const text = await readFile(file, 'utf8');
    const value: unknown = text.length > LARGEST_FILE_BYTES ? [] : JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
