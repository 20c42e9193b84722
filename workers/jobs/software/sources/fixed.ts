import type { FixedVersion } from '../../../../shared/domain/software/definition.ts';
import { type Source, versionNotFound } from './source.ts';

/** Versions listed in the definition itself, newest first. */
export function createFixed(versions: readonly FixedVersion[]): Source {
  return {
    list: async () => versions.map(({ version, stable = true }) => ({ version, stable })),
    async find(wanted) {
      const found = versions.find(({ version }) => version === wanted);
      if (!found) throw versionNotFound(wanted, 'The file of this software has no version');
      const { version, url, java, sha256 } = found;
      const vendor = { name: undefined, base: new URL(url).origin, contact: undefined };
      const digest = sha256 === undefined ? undefined : ({ algorithm: 'sha256', hex: sha256 } as const);
      return { version, build: version, java, file: { vendor, url, digest } };
    },
  };
}
