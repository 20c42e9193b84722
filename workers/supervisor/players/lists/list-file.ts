import path from 'node:path';
import type { PlayerList } from '../../../../shared/domain/players/player-list.ts';
import type { SoftwareDefinition } from '../../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { replaceServerFile } from '../../../../shared/node/files/server/replace-server-file.ts';
import { readServerFile } from '../../../../shared/node/files/server/server-file.ts';

export interface ListPlace {
  /** The server's folder. */
  folder: string;
  definition: SoftwareDefinition;
}

/** Some 15,000 bans. */
const LARGEST_BYTES = 4 * 1024 * 1024;

const TITLES: Readonly<Record<PlayerList, string>> = {
  bans: 'list of bans',
  operators: 'list of operators by name',
  allowlist: 'allowlist',
};

/** Returns the entries of one of a server's lists; `undefined` if there is no file yet. Throws as `readListedPlayers` does. */
export function readListFile(list: PlayerList, { folder, definition }: ListPlace): Promise<unknown[] | undefined> {
  return readEntries(folder, fileOf(list, definition));
}

/** Returns the entries of a JSON list in a server's folder. Throws `invalid_state` if it is not a list, too large, or a link out of the folder. */
export async function readEntries(folder: string, file: string): Promise<unknown[] | undefined> {
  const bytes = await readServerFile(path.join(folder, file), { largestBytes: LARGEST_BYTES });
  return bytes && entriesOf(bytes.toString('utf8'), file);
}

/** Replaces a list in one step, formatted as vanilla does. Throws `invalid_state` or `insufficient_storage` if it cannot be written. */
export async function writeListFile(
  list: PlayerList,
  entries: readonly unknown[],
  { folder, definition }: ListPlace,
): Promise<void> {
  const file = fileOf(list, definition);
  const bytes = Buffer.from(JSON.stringify(entries, null, 2));
  if (bytes.length > LARGEST_BYTES) throw new GamekeeperError('invalid_state', `${file} would be too large.`);
  await replaceServerFile(path.join(folder, file), bytes);
}

function fileOf(list: PlayerList, { playerLists, title }: SoftwareDefinition): string {
  const file = playerLists[list];
  if (file === undefined) throw new GamekeeperError('invalid_request', `${title} keeps no ${TITLES[list]}.`);
  return file;
}

function entriesOf(text: string, file: string): unknown[] {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, '') || '[]');
    if (Array.isArray(value)) return value;
  } catch (error) {
    cause = error;
  }
  throw new GamekeeperError('invalid_state', `${file} in the server's folder is not a JSON list.`, {
    resolution: `Stop the server, then correct ${file} or remove it. The server creates an empty one.`,
    cause,
  });
}
