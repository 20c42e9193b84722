import type { PlayerList } from '../../../../shared/domain/players/player-list.ts';
import type { AllowedPlayer, Ban, Operator } from '../../../../shared/schema/player-lists.ts';
import { type ListPlace, readListFile } from './list-file.ts';

/** An entry of any of a server's lists. Each list has some of the fields. */
export type ListedPlayer = Ban & Operator & AllowedPlayer;

/** In UTF-16 units. Vanilla's own texts are much shorter. */
const LONGEST_TEXT = 500;

/**
 * Returns one of a server's lists of players from its file (minecraft.wiki, "ops.json"), which the server writes at each change; empty if
 * there is no file yet. Throws `invalid_request` if this software keeps no such list, and `invalid_state` if the file is not a list, too
 * large, or a link out of the folder.
 */
export async function readListedPlayers(list: PlayerList, where: ListPlace): Promise<ListedPlayer[]> {
  return ((await readListFile(list, where)) ?? []).flatMap(asListedPlayer);
}

/** Leaves out an entry without a name, because all actions need one. */
export function asListedPlayer(entry: unknown): ListedPlayer[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const of = new Map<string, unknown>(Object.entries(entry));
  const text = (key: string) => {
    const value = of.get(key);
    return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_TEXT) : undefined;
  };
  const name = text('name');
  if (name === undefined) return [];
  const player = {
    name,
    uuid: text('uuid'),
    reason: text('reason'),
    source: text('source'),
    createdAt: asInstant(text('created')),
    expiresAt: asInstant(text('expires')),
    level: Number.isSafeInteger(of.get('level')) ? Number(of.get('level')) : undefined,
    bypassesPlayerLimit: of.get('bypassesPlayerLimit') === true ? true : undefined,
  };
  return [player];
}

/** Parses `2026-11-20 08:15:00 +0000`. Returns `undefined` for `forever` and anything else. */
export function asInstant(text: string | undefined): string | undefined {
  const [, day, time, hours, minutes] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(text ?? '') ?? [];
  const instant = new Date(`${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
