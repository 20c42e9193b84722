import type { VersionSource } from '../../../shared/domain/software/definition.ts';
import { NEWEST } from '../../../shared/domain/software/version-source.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createSource } from './sources/create-source.ts';
import type { Release, SourceContext } from './sources/source.ts';

/** How many of the newest versions to check for a finished build. */
const LOOKS = 4;

/** For `latest`, returns the newest stable version with a finished build. Throws `version_not_found`, `vendor_unavailable`. */
export async function findRelease(source: VersionSource, version: string, context: SourceContext): Promise<Release> {
  const opened = createSource(source, context);
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
  throw new GamekeeperError('version_not_found', 'The vendor lists no versions.');
}
