import * as z from 'zod';
import type { JavaVersion } from '../../../shared/domain/java/java-version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { fetchJson, type Vendor } from '../vendors/vendor.ts';

export interface JavaPackage {
  url: string;
  sha256: string;
  size: number;
  release: string;
}

/** Adoptium's names, by Node's. */
const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'mac', win32: 'windows' };
const PROCESSORS: Readonly<Record<string, string>> = {
  x64: 'x64',
  arm64: 'aarch64',
  arm: 'arm',
  ppc64: 'ppc64le',
  s390x: 's390x',
  riscv64: 'riscv64',
};

const assets = z.array(
  z.object({
    release_name: z.string(),
    binary: z.object({
      image_type: z.string(),
      package: z.object({ link: z.url(), size: z.int().positive(), checksum: z.string().regex(/^[0-9a-f]{64}$/) }),
    }),
  }),
);

/** Returns the newest build of a major version for this machine. Throws `launch_failed` if there is none, and `vendor_unavailable`. */
export async function findJava(vendor: Vendor, version: JavaVersion, signal: AbortSignal): Promise<JavaPackage> {
  const { os, architecture } = thisMachine();
  const query = new URLSearchParams({ os, architecture, image_type: 'jre' });
  const url = `${vendor.base}/v3/assets/latest/${version}/hotspot?${query}`;
  const { value } = await fetchJson({ vendor, url, schema: assets }, signal);
  // The answer includes debug and test images, whatever was asked for.
  const found = value.find(({ binary }) => binary.image_type === 'jre');
  if (!found)
    throw new GamekeeperError('launch_failed', `There is no Java ${version} for ${os} on ${architecture}.`, {
      resolution: 'Set another javaVersion.',
    });
  const { link, size, checksum } = found.binary.package;
  return { url: link, size, sha256: checksum, release: found.release_name };
}

function thisMachine(): { os: string; architecture: string } {
  const os = process.platform === 'linux' && !usesGlibc() ? 'alpine-linux' : SYSTEMS[process.platform];
  const architecture = PROCESSORS[process.arch];
  return { os: os ?? process.platform, architecture: architecture ?? process.arch };
}

/** Alpine and the like use musl, which has builds of its own. */
function usesGlibc(): boolean {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime !== undefined;
}
