import * as z from 'zod';
import { isBelow } from '../../../../shared/domain/software/minecraft-version.ts';
import { fetchJson, vendorOf } from '../../vendors/vendor.ts';
import { mavenDigest } from './maven-digest.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

const promotions = z.object({ promos: z.record(z.string(), z.string()) });

/** Earlier versions have no installer for servers. */
const FIRST_WITH_INSTALLER = '1.5.2';

/**
 * Forge: the recommended build of each version of Minecraft (files.minecraftforge.net, promotions_slim.json), and the installers in its
 * Maven. A version is stable once one of its builds is recommended.
 */
export function createForgePromotions({ vendors, signal }: SourceContext): Source {
  const vendor = vendorOf('forge', vendors);
  const files = vendorOf('forgeFiles', vendors);

  async function promos(): Promise<Record<string, string>> {
    const url = `${files.base}/net/minecraftforge/forge/promotions_slim.json`;
    return (await fetchJson({ vendor: files, url, schema: promotions }, signal)).value.promos;
  }

  async function promotedOf(version: string): Promise<string | undefined> {
    const promoted = await promos();
    return promoted[`${version}-recommended`] ?? promoted[`${version}-latest`];
  }

  async function installerOf(build: string) {
    const url = `${vendor.base}/net/minecraftforge/forge/${build}/forge-${build}-installer.jar`;
    const digest = await mavenDigest({ vendor, url }, signal);
    return digest && { vendor, url, digest };
  }

  return {
    async list() {
      const promoted = await promos();
      const versions = new Set(Object.keys(promoted).map((name) => name.replace(/-(?:latest|recommended)$/, '')));
      return [...versions]
        .filter((version) => !isBelow(version, FIRST_WITH_INSTALLER))
        .sort((one, other) => (isBelow(one, other) ? 1 : -1))
        .map((version) => ({ version, stable: promoted[`${version}-recommended`] !== undefined }));
    },
    async find(version, wanted) {
      const number = wanted ?? (await promotedOf(version));
      if (number === undefined || isBelow(version, FIRST_WITH_INSTALLER))
        throw versionNotFound(version, 'Forge has no installer for Minecraft');
      // Builds of 1.7 to 1.9 repeat the version of Minecraft at the end.
      for (const build of [`${version}-${number}`, `${version}-${number}-${version}`]) {
        const file = await installerOf(build);
        if (file) return { version, build, file };
      }
      throw versionNotFound(version, `Build ${number} of Forge has no installer for Minecraft`);
    },
  };
}
