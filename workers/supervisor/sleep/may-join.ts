import path from 'node:path';
import { readServerFile } from '../../../shared/node/server-file.ts';

/**
 * Why a player of that name is not let in, in vanilla's words, or nothing. Nobody has proved yet who they are: this only keeps those away
 * whom the server would turn away as well, so that they do not start it.
 */
export async function whyNotLetIn(
  name: string,
  { folder, whitelist }: { folder: string; whitelist: boolean },
): Promise<string | undefined> {
  const isIn = async (file: string) => (await namesIn(path.join(folder, file))).has(name.toLowerCase());
  if (await isIn('banned-players.json')) return 'You are banned from this server.';
  if (whitelist && !(await isIn('whitelist.json')) && !(await isIn('ops.json')))
    return 'You are not white-listed on this server!';
  return undefined;
}

/** A broken file of the server's is an empty one, as it is for vanilla. */
async function namesIn(file: string): Promise<Set<string>> {
  try {
    const entries: unknown = JSON.parse(String((await readServerFile(file)) ?? '[]'));
    if (!Array.isArray(entries)) return new Set();
    return new Set(entries.flatMap(nameOf));
  } catch {
    return new Set();
  }
}

function nameOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || !('name' in entry)) return [];
  return typeof entry.name === 'string' ? [entry.name.toLowerCase()] : [];
}
