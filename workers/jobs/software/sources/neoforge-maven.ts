import { fetchText, vendorOf } from '../../vendors/vendor.ts';
import { mavenDigest } from './maven-digest.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

const ARTIFACT = 'releases/net/neoforged/neoforge';

/**
 * NeoForge: the builds in its Maven repository (maven-metadata.xml). A build number starts with the Minecraft version: without the leading
 * "1." up to Minecraft 1.21 (21.1.77 is for 1.21.1), in full from 26.1 on (26.1.0.5 is for 26.1).
 */
export function createNeoforgeMaven({ vendors, signal }: SourceContext): Source {
  const vendor = vendorOf('neoforge', vendors);

  /** By version of Minecraft. Versions and builds are newest first. */
  async function builds(): Promise<Map<string, string[]>> {
    const metadata = await fetchText({ vendor, url: `${vendor.base}/${ARTIFACT}/maven-metadata.xml` }, signal);
    const found = new Map<string, string[]>();
    const all = [...metadata.matchAll(/<version>([0-9][\w.+-]*)<\/version>/g)].map(([, build]) => build!);
    for (const build of all.sort(newestFirst)) {
      const version = minecraftOf(build);
      if (version !== undefined) found.set(version, [...(found.get(version) ?? []), build]);
    }
    return found;
  }

  return {
    async list() {
      const found = await builds();
      return [...found].map(([version, list]) => ({ version, stable: list.some(isFinished) }));
    },
    async find(version, wanted) {
      const found = (await builds()).get(version) ?? [];
      const build = wanted === undefined ? (found.find(isFinished) ?? found[0]) : found.find((one) => one === wanted);
      if (build === undefined) throw versionNotFound(version, 'NeoForge has no build for Minecraft', wanted);
      const url = `${vendor.base}/${ARTIFACT}/${build}/neoforge-${build}-installer.jar`;
      const digest = await mavenDigest({ vendor, url }, signal);
      return { version, build, file: { vendor, url, digest } };
    },
  };
}

/** Returns `undefined` for April Fools' builds (0.25w14craftmine.3-beta). */
function minecraftOf(build: string): string | undefined {
  const [major = 0, minor = 0, patch = 0] = (/^\d+(?:\.\d+)*/.exec(build)?.[0] ?? '').split('.').map(Number);
  if (major < 20) return undefined;
  if (major < 26) return minor === 0 ? `1.${major}` : `1.${major}.${minor}`;
  return patch === 0 ? `${major}.${minor}` : `${major}.${minor}.${patch}`;
}

function isFinished(build: string): boolean {
  return !build.includes('-');
}

function newestFirst(one: string, other: string): number {
  const [its, mine] = [one, other].map((build) => build.split(/[^0-9]+/).map(Number));
  for (let at = 0; at < Math.max(mine!.length, its!.length); at++) {
    const difference = (mine![at] ?? 0) - (its![at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
