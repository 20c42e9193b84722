import path from 'node:path';
import { readServerFile } from '../../../shared/node/server-file.ts';

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
    const value: unknown = JSON.parse(String((await readServerFile(file)) ?? '[]'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
