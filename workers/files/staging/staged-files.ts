import { type BigIntStats, closeSync, constants, fchmodSync, fchownSync, fsync, openSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { ifMatchHolds } from '../../../shared/domain/http/entity-tag.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { renameToNew } from '../../../shared/node/files/rename-to-new.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import { type UnderConstruction, underConstruction } from '../../../shared/node/files/under-construction.ts';
import { copyFile } from '../folder/copy-file.ts';
import { etagOf, modifiedAt, statAt } from '../folder/entry.ts';
import { explained, fileExists, fileNotFound, invalidPath, requirePath } from '../folder/file-error.ts';
import { keepVersion } from '../history/versions.ts';
import { newStagedPath } from './under-construction.ts';

const toDisk = promisify(fsync);
const NEW_FILE_MODE = 0o644;
/** Without setuid: whoever may write a file must not become its owner. */
const PERMISSIONS = 0o777;
const STAGED_MODE = 0o600;

/** A new file that nobody sees yet. */
export interface StagedFile {
  /** Its path in Gamekeeper's folder. */
  readonly own: string;
  /** The instance's folder, links resolved. */
  readonly root: string;
  readonly descriptor: number;
}

/** Creates an empty file for what is to be written. Its owner closes the descriptor with `closeStaged`. */
export function createStaged(root: string): StagedFile {
  const own = newStagedPath();
  return explained('', () => {
    using cursor = new TreeCursor(root);
    const place = cursor.placeOf(own, () => undefined);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    return { own, root, descriptor: openSync(place, flags, STAGED_MODE) };
  });
}

/** Writes a staged file to the disk and closes it. Throws `insufficient_storage`. */
export async function closeStaged({ descriptor }: StagedFile): Promise<void> {
  try {
    await explained('', () => toDisk(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

export interface CommitOptions {
  path: string;
  /** As received. */
  ifMatch?: string | undefined;
  /** True: nothing may be there yet. */
  isNew?: boolean | undefined;
}

export interface Committed {
  path: string;
  sizeBytes: number;
  modifiedAt: string;
  etag: string;
  isNew: boolean;
}

/**
 * Puts a file of Gamekeeper's folder in place of another one, at once: readers see the old content or the new. Keeps mode and owner of the old file; a
 * new one belongs to the owner of its folder. The old file becomes an earlier version. Throws `precondition_failed`, `file_exists`, and `invalid_path` if a folder or a link is in the way.
 */
export async function commitStaged(
  staged: Pick<StagedFile, 'own' | 'root'>,
  options: CommitOptions,
): Promise<Committed> {
  const { path } = options;
  requirePath(path, { isBelow: true });
  return explained(path, async () => {
    using own = new TreeCursor(staged.root);
    using cursor = new TreeCursor(staged.root);
    const stagedPlace = own.placeOf(staged.own);
    const target = cursor.placeOf(path);
    const folder = cursor.enter(splitFilePath(path).folder);
    await using beside = await onSameDisk(staged, splitFilePath(path).folder);
    const source = beside ? `${folder}/${splitFilePath(beside.path).name}` : stagedPlace;
    const isNew = publish({ root: staged.root, source, target, folder }, options);
    await syncFolder(folder);
    const stats = statAt(target);
    if (!stats) throw fileNotFound(path); // deleted by the game at once
    return { path, isNew, sizeBytes: Number(stats.size), modifiedAt: modifiedAt(stats), etag: etagOf(stats) };
  });
}

/** Throws what `commitStaged` would throw by now, before anything is sent. */
export function requireCommittable(root: string, options: CommitOptions): void {
  requirePath(options.path, { isBelow: true });
  explained(options.path, () => {
    using cursor = new TreeCursor(root);
    formerAt(cursor.placeOf(options.path), options);
  });
}

/** Returns what is to be replaced, if anything. */
function formerAt(target: string, options: CommitOptions): BigIntStats | undefined {
  const former = statAt(target);
  requireReplaceable(options.path, former);
  checkConditions(former && etagOf(former), options);
  return former;
}

/** Returns whether nothing was there before. Synchronous, so that nothing of this process comes between check and rename. */
function publish(
  { root, source, target, folder }: { root: string; source: string; target: string; folder: string },
  options: CommitOptions,
): boolean {
  const former = formerAt(target, options);
  const like = former ?? statAt(`${folder}/.`);
  const descriptor = openSync(source, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    giveTo(like && ownerOf({ uid: Number(like.uid), gid: Number(like.gid) }), (...owner) =>
      fchownSync(descriptor, ...owner),
    );
    fchmodSync(descriptor, former ? Number(former.mode) & PERMISSIONS : NEW_FILE_MODE);
  } finally {
    closeSync(descriptor);
  }
  if (former) keepVersion(root, options.path, { target, former, now: Date.now() });
  if (options.isNew) renameToNew(source, target);
  else renameSync(source, bytesOf(target));
  return former === undefined;
}

/** Does nothing if it is gone. */
export async function discardStaged({ own, root }: Pick<StagedFile, 'own' | 'root'>): Promise<void> {
  try {
    using cursor = new TreeCursor(root);
    await rm(cursor.placeOf(own), { force: true });
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
  }
}

function requireReplaceable(path: string, former: BigIntStats | undefined): void {
  if (!former || former.isFile()) return;
  if (former.isDirectory()) throw fileExists(path);
  throw invalidPath(path, former.isSymbolicLink() ? 'is a link, which is not followed' : 'is not an ordinary file');
}

function checkConditions(etag: string | undefined, { path, ifMatch, isNew }: CommitOptions): void {
  if (isNew && etag !== undefined) throw fileExists(path);
  if (ifMatch === undefined) return;
  if (etag === undefined || !ifMatchHolds(ifMatch, etag))
    throw new GamekeeperError('precondition_failed', 'The file has changed since you read it.', {
      resolution: 'Read it again, then repeat your change.',
    });
}

/** If another disk is mounted on the way to the folder, copies the staged bytes into it and returns where they are. */
async function onSameDisk(
  { own, root }: Pick<StagedFile, 'own' | 'root'>,
  folder: string,
): Promise<UnderConstruction | null> {
  const beside = underConstruction(root, { own: newStagedPath(), folder });
  if (!beside.isElsewhere) return null;
  try {
    using from = new TreeCursor(root);
    using to = new TreeCursor(root);
    const way = { from: from.placeOf(own), to: to.placeOf(beside.path), shown: '' };
    await copyFile(way, new AbortController().signal);
    return beside;
  } catch (error) {
    await beside[Symbol.asyncDispose]();
    throw error;
  }
}

/** Windows cannot open folders. */
async function syncFolder(place: string): Promise<void> {
  if (process.platform === 'win32') return;
  const descriptor = openSync(place, constants.O_RDONLY);
  try {
    await toDisk(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
