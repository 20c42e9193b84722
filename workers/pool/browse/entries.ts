import type { FileKind } from '../../../shared/schema/files.ts';
import { type PlannedEntry, planEntry } from '../extract/archive-plan.ts';
import { damaged } from '../extract/damaged.ts';
import { directoryOf, type OpenZip, ownArchiveRules } from '../extract/open-archive.ts';

export const KINDS = { file: 'file', directory: 'folder', link: 'link' } as const satisfies Record<
  PlannedEntry['kind'],
  FileKind
>;

/**
 * Yields the entries of an archive, each checked like those of a restore. An archive of 100,000 entries takes no more memory than one: names
 * that are there twice are only noticed by whoever compares the entries.
 */
export async function* checkedEntries({ zip, source }: OpenZip, sourceBytes: number): AsyncGenerator<PlannedEntry> {
  const rules = ownArchiveRules(sourceBytes);
  let bytes = 0;
  let packed = 0;
  for await (const entry of directoryOf(zip)) {
    const planned = planEntry(entry, rules);
    if (planned.kind === 'file') bytes += entry.uncompressedSize;
    packed += entry.compressedSize;
    if (bytes > rules.maxBytes) throw damaged('It contains more data than recorded.');
    if (packed > source.size) throw damaged('Its entries overlap.');
    yield planned;
  }
}

/** The time of an entry. Formats of extra fields go beyond the year 9999. */
export function modifiedAt({ modified }: PlannedEntry): string {
  const year = modified.getUTCFullYear();
  return (year >= 0 && year <= 9999 ? modified : new Date(0)).toISOString();
}

/** Throws if the archive has a file or a link above something that it has in it. */
export function requireFolderAbove(above: PlannedEntry | undefined): void {
  if (above) throw damaged(`"${above.name}" is not a folder, but has entries in it.`);
}

/** Returns true for a file or a link that is where a path needs a folder. */
export function isInTheWay({ name, kind }: PlannedEntry, path: string): boolean {
  return kind !== 'directory' && path.startsWith(`${name}/`);
}
