import type { SoftwareDefinition, VersionSource } from './definition.ts';

/** As a version: the newest one when the software is installed, which is then recorded. */
export const NEWEST = 'latest';

/** Returns where the versions of a kind come from, or `undefined` if no vendor lists them. */
export function versionSourceOf({ install }: Pick<SoftwareDefinition, 'install'>): VersionSource | undefined {
  return install && 'source' in install ? install.source : undefined;
}
