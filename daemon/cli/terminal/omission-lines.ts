import { type Omission, sayOmissions } from '../../../shared/domain/backups/omissions.ts';

const MOST_NAMED = 20;

/** Returns a warning about files that nobody excluded and that a backup does not contain; no lines if there are none. */
export function omissionLines({
  omitted = [],
  omittedCount = 0,
}: {
  omitted?: readonly Omission[] | undefined;
  omittedCount?: number | undefined;
}): string[] {
  if (omittedCount === 0) return [];
  const things = omittedCount === 1 ? '1 file or folder is' : `${omittedCount} files or folders are`;
  return [`WARNING: ${things} NOT in this backup: ${sayOmissions({ omitted, omittedCount }, MOST_NAMED)}.`];
}
