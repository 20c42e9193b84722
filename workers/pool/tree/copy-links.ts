import { lchownSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { bytesOf, nameOf, shownName } from '../../../shared/node/files/file-name.ts';
import { isInside } from '../../../shared/node/files/is-inside.ts';
import { giveTo } from '../../../shared/node/files/owner.ts';
import type { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { SourceEntry } from './walk.ts';

export type SourceLink = SourceEntry & { kind: 'link' };

export interface LinkCopy {
  /** Absolute paths, links resolved. */
  source: string;
  target: string;
  from: TreeCursor;
  to: TreeCursor;
}

/**
 * Creates the links of a copy. A link within the source leads to the same place within the copy, however it is written: `../survival/world2`
 * in a server called `survival` would lead from the copy into the source. Throws `invalid_state` for a link to a folder outside.
 */
export function copyLinks(links: readonly SourceLink[], { source, target, from, to }: LinkCopy): void {
  for (const link of links) {
    const place = bytesOf(to.placeOf(link.name));
    symlinkSync(bytesOf(ownTarget(link, { source, from })), place);
    giveTo(link.owner, (uid, gid) => lchownSync(place, uid, gid));
  }
  // Only when all exist, since one link may lead through another.
  for (const link of links) requireWithin(target, { link, place: to.placeOf(link.name) });
}

function ownTarget({ name, target }: SourceLink, { source, from }: Pick<LinkCopy, 'source' | 'from'>): string {
  const folder = path.dirname(path.join(source, name));
  const absolute = path.resolve(folder, target);
  if (isInside(absolute, source)) return path.relative(folder, absolute) || '.';
  if (isFolder(from.placeOf(name))) throw leadsOut({ name, target });
  return target;
}

function requireWithin(copied: string, { link, place }: { link: SourceLink; place: string }): void {
  if (!isFolder(place)) return;
  let real: string;
  try {
    real = nameOf(realpathSync.native(bytesOf(place), 'buffer'));
  } catch {
    throw leadsOut(link); // Too long to tell.
  }
  if (!isInside(real, copied)) throw leadsOut(link);
}

/** A link counts as what it leads to. */
function isFolder(place: string): boolean {
  try {
    return statSync(bytesOf(place)).isDirectory();
  } catch {
    return false; // It leads nowhere.
  }
}

function leadsOut({ name, target }: Pick<SourceLink, 'name' | 'target'>): GamekeeperError {
  return new GamekeeperError(
    'invalid_state',
    `"${shownName(name)}" leads out of the server's folder, to ${shownName(target)}: the copy would write there, too.`,
    { resolution: 'Replace the link with the folder itself, or copy the server by hand.' },
  );
}
