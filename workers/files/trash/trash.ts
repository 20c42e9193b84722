import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { OWN_FOLDER } from '../../../shared/domain/files/file-path.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import { renameToNew } from '../../../shared/node/files/rename-to-new.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { TrashEntry } from '../../../shared/schema/files.ts';
import { entryOf, statAt } from '../folder/entry.ts';
import { explained, fileNotFound, requirePath } from '../folder/file-error.ts';
import { namesIn } from '../folder/own-folder.ts';

const TRASH = `${OWN_FOLDER}/trash`;
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** What was deleted, and where it was, in the folder of each entry of the trash. */
const CONTENT = 'content';
const ABOUT = 'about.json';

/** The trash is in the instance's folder, where the game can write, so its records are checked like any input. */
const about = z.object({ path: z.string(), deletedAt: z.iso.datetime(), deletedBy: z.string().max(100).optional() });

/** Moves a file, folder or link to the trash. `now` in milliseconds since the epoch. Throws `file_not_found`. */
export function moveToTrash(root: string, path: string, { by, now }: { by: string; now: number }): string {
  requirePath(path, { isBelow: true });
  return explained(path, () => {
    using cursor = new TreeCursor(root);
    using trash = new TreeCursor(root);
    const place = cursor.placeOf(path);
    if (!statAt(place)) throw fileNotFound(path);
    const trashId = `${now.toString(36)}-${randomBytes(6).toString('hex')}`;
    const folder = trash.enter(TRASH, () => undefined);
    mkdirSync(`${folder}/${trashId}`, { mode: 0o700 });
    const own = trash.enter(`${TRASH}/${trashId}`);
    const record: z.infer<typeof about> = { path, deletedAt: new Date(now).toISOString(), deletedBy: by };
    writeFileSync(`${own}/${ABOUT}`, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
    renameSync(bytesOf(place), `${own}/${CONTENT}`);
    return trashId;
  });
}

/** Returns what is in the trash, newest first. */
export async function listTrash(root: string, now: number): Promise<TrashEntry[]> {
  const entries: TrashEntry[] = [];
  for (const trashId of idsIn(root)) {
    const entry = await readEntry(root, trashId);
    if (entry && Date.parse(entry.expiresAt) > now) entries.push(entry);
  }
  return entries.sort((one, other) => other.deletedAt.localeCompare(one.deletedAt));
}

/** Deletes what has been in the trash for seven days, also what is broken. */
export async function expireTrash(root: string, now: number): Promise<void> {
  for (const trashId of idsIn(root)) {
    const deletedAt = Number.parseInt(trashId, 36);
    if (deletedAt + KEPT_MS <= now) await deleteFromTrash(root, trashId);
  }
}

/** Puts something back where it was, into folders that are created if they are gone. Throws `file_not_found` and `file_exists`. */
export async function restoreFromTrash(root: string, trashId: string): Promise<string> {
  const entry = idsIn(root).includes(trashId) ? await readEntry(root, trashId) : undefined;
  if (!entry) throw fileNotFound(`trash/${trashId}`);
  const { path } = entry;
  explained(path, () => {
    using trash = new TreeCursor(root);
    using cursor = new TreeCursor(root);
    const own = trash.enter(`${TRASH}/${trashId}`);
    const target = cursor.placeOf(path, () => undefined);
    renameToNew(`${own}/${CONTENT}`, target);
  });
  await deleteFromTrash(root, trashId).catch(() => undefined); // what is left of the entry expires
  return path;
}

/** Deletes an entry of the trash for good; without an id, all of them. */
export async function emptyTrash(root: string, trashId?: string): Promise<void> {
  const ids = idsIn(root);
  if (trashId !== undefined && !ids.includes(trashId)) throw fileNotFound(`trash/${trashId}`);
  for (const id of trashId === undefined ? ids : [trashId]) await deleteFromTrash(root, id);
}

async function deleteFromTrash(root: string, trashId: string): Promise<void> {
  await explained(`trash/${trashId}`, async () => {
    using cursor = new TreeCursor(root);
    await removeTree(cursor.placeOf(`${TRASH}/${trashId}`));
  });
}

function idsIn(root: string): string[] {
  return namesIn(root, TRASH).filter((name) => /^[0-9a-z]+-[0-9a-f]+$/.test(name));
}

/** Returns `undefined` for an entry whose record or content is missing or broken, or cannot be read now: it is kept, in case that passes. */
async function readEntry(root: string, trashId: string): Promise<TrashEntry | undefined> {
  try {
    using cursor = new TreeCursor(root);
    const own = cursor.enter(`${TRASH}/${trashId}`);
    const stats = statAt(`${own}/${CONTENT}`);
    const bytes = await readServerFile(`${own}/${ABOUT}`);
    if (!stats || !bytes) return undefined;
    const { path, deletedAt, deletedBy } = about.parse(JSON.parse(bytes.toString()));
    requirePath(path, { isBelow: true });
    const { kind, sizeBytes } = entryOf(CONTENT, stats);
    const expiresAt = new Date(Date.parse(deletedAt) + KEPT_MS).toISOString();
    return { trashId, path, kind, sizeBytes, deletedAt, expiresAt, ...(deletedBy !== undefined && { deletedBy }) };
  } catch {
    return undefined;
  }
}
