import type { VersionSource } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { openSource } from './sources/open-source.ts';
import type { Release, SourceContext } from './sources/source.ts';

/** As in a configuration that leaves the version to the vendor. */
export const NEWEST = 'latest';
/** Newest versions that are looked at for one with a finished build. */
const LOOKS = 4;

/**
 * What is to be installed for a version, or for the newest that its vendor calls stable and has a finished build of. Throws
 * `version_not_found` and `vendor_unavailable`.
 */
export async function findRelease(source: VersionSource, version: string, context: SourceContext): Promise<Release> {
  const opened = openSource(source, context);
  if (version !== NEWEST) return opened.find(version);
  const listed = await opened.list();
  const stable = listed.filter((one) => one.stable);
  const candidates = (stable.length > 0 ? stable : listed).slice(0, LOOKS);
  let first: Release | undefined;
  for (const candidate of candidates) {
    const release = await opened.find(candidate.version);
    if (release.isFinished !== false) return release;
    first ??= release;
  }
  if (first) return first;
  throw new GamekeeperError('version_not_found', 'The vendor lists no version.');
}
