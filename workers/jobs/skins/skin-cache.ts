import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { readValidJson } from '../../../shared/node/files/json-record.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { textureName } from '../../../shared/schema/player-skins.ts';
import type { Skin } from './fetch-skin.ts';

const INDEX = 'players.json';
/** Players whom nobody has asked for since. Milliseconds. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;
/** Five servers with the most accounts. Their skins have some 20 MB. */
const MOST_PLAYERS = 10_000;

const knownSkin = z.object({
  /** Absent: the player has no skin of their own, or it could not be fetched. */
  texture: textureName.optional(),
  /** When the answer is too old. Milliseconds since the epoch. */
  askAgainAt: z.number(),
});
export type KnownSkin = z.infer<typeof knownSkin>;
const index = z.record(z.string(), knownSkin);

/** The skins of players on disk, each in a file named by its texture, and an index by the UUIDs of accounts. */
export interface SkinCache {
  find(uuid: string): KnownSkin | undefined;
  /** Remembers an answer, and writes the skin. The index is only written by `save`. */
  put(uuid: string, known: KnownSkin, skin?: Skin): Promise<void>;
  /** Writes the index, and removes what nobody needs any more. */
  save(): Promise<void>;
  /** Returns `null` if there is no such skin. */
  read(texture: string): Promise<Buffer | null>;
  clear(): Promise<void>;
}

/** Forgets old players at once. `now`: milliseconds since the epoch. */
export async function openSkinCache(folder: string, now: () => number): Promise<SkinCache> {
  const players = new Map(Object.entries((await readValidJson(path.join(folder, INDEX), index)) ?? {}));
  const files = new Set(await readdir(folder).catch(() => [])); // nothing was fetched yet
  for (const [uuid, { texture }] of players) if (texture && !files.has(fileOf(texture))) players.delete(uuid);
  const writes = createMutex();

  /** Returns whether there was anybody to forget. */
  function forgetOld(): boolean {
    const before = players.size;
    const oldestFirst = [...players].sort(([, one], [, other]) => one.askAgainAt - other.askAgainAt);
    const surplus = players.size - MOST_PLAYERS;
    for (const [at, [uuid, { askAgainAt }]] of oldestFirst.entries())
      if (at < surplus || now() - askAgainAt > FORGOTTEN_AFTER_MS) players.delete(uuid);
    return players.size < before;
  }

  const cache: SkinCache = {
    find: (uuid) => players.get(uuid),
    put: (uuid, known, skin) =>
      writes.run(async () => {
        if (skin) {
          await mkdir(folder, { recursive: true });
          await writeFileAtomically(path.join(folder, fileOf(skin.texture)), skin.png);
        }
        players.set(uuid, known);
      }),
    save: () =>
      writes.run(async () => {
        forgetOld();
        await mkdir(folder, { recursive: true });
        await writeFileAtomically(path.join(folder, INDEX), JSON.stringify(Object.fromEntries(players)));
        const needed = new Set([INDEX, ...[...players.values()].map(({ texture }) => texture && fileOf(texture))]);
        for (const name of await readdir(folder))
          if (!needed.has(name)) await rm(path.join(folder, name), { force: true });
      }),
    async read(texture) {
      try {
        return await readFile(path.join(folder, fileOf(texture)));
      } catch (error) {
        if (hasErrorCode(error, 'ENOENT')) return null;
        throw error;
      }
    },
    clear: () =>
      writes.run(async () => {
        players.clear();
        await rm(folder, { recursive: true, force: true });
      }),
  };
  if (forgetOld()) await cache.save().catch(() => undefined); // such as on a full disk; the next one tries again
  return cache;
}

function fileOf(texture: string): string {
  return `${texture}.png`;
}
