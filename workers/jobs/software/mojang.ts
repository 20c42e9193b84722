import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/atomic-file.ts';
import { fetchJson, type Vendor, vendorError } from '../vendors/vendor.ts';

/** Mojang's list of versions and what belongs to one (minecraft.wiki, "Version manifest"). */
export interface MojangServer {
  /** The version itself, where the newest was asked for. */
  version: string;
  url: string;
  sha1: string;
  size: number;
  /** Major version of the Java that it needs. */
  java: number;
}

const DEFAULT_BASE = 'https://piston-meta.mojang.com';
/** As in a configuration that leaves the version to the vendor. */
const NEWEST = 'latest';
/** Versions before 1.17 do not say; all of them ran on this. */
const OLDEST_JAVA = 8;

const sha1 = z.string().regex(/^[0-9a-f]{40}$/);
const manifest = z.object({
  latest: z.object({ release: z.string() }),
  versions: z.array(z.object({ id: z.string(), url: z.url(), sha1 })),
});
const versionFile = z.object({
  downloads: z.object({ server: z.object({ url: z.url(), sha1, size: z.int().positive() }).optional() }),
  javaVersion: z.object({ majorVersion: z.int() }).optional(),
});

export function mojang(vendors: Record<string, string>): Vendor {
  return { name: 'mojang', base: (vendors.mojang ?? DEFAULT_BASE).replace(/\/$/, '') };
}

/**
 * Looks a version up; what was once looked up is remembered in `cache`, so that an installed server starts offline. Throws
 * `launch_failed` for a version that does not exist or has no server, and where Mojang cannot be reached.
 */
export async function findServer(
  { vendor, version, cache }: { vendor: Vendor; version: string; cache: string },
  signal: AbortSignal,
): Promise<MojangServer> {
  const known = version === NEWEST ? undefined : await remembered(cache, version);
  if (known) return toServer(version, known);
  const { value: list } = await fetchJson(
    { vendor, url: `${vendor.base}/mc/game/version_manifest_v2.json`, schema: manifest },
    signal,
  );
  const id = version === NEWEST ? list.latest.release : version;
  const listed = list.versions.find((one) => one.id === id);
  if (!listed)
    throw new GamekeeperError('launch_failed', `Minecraft has no version "${id}".`, {
      resolution: `Set another version, for example ${list.latest.release}.`,
    });
  const { value, text } = await fetchJson({ vendor, url: listed.url, schema: versionFile }, signal);
  if (createHash('sha1').update(text).digest('hex') !== listed.sha1)
    throw vendorError(vendor, `What is known about Minecraft ${id} is not what was announced: its checksum is wrong.`);
  const server = toServer(id, value);
  await mkdir(cache, { recursive: true });
  await writeFileAtomically(fileOf(cache, id), text);
  return server;
}

function toServer(version: string, { downloads, javaVersion }: z.infer<typeof versionFile>): MojangServer {
  if (!downloads.server)
    throw new GamekeeperError('launch_failed', `Minecraft ${version} has no server to download.`, {
      resolution: 'Set a newer version.',
    });
  return { version, ...downloads.server, java: javaVersion?.majorVersion ?? OLDEST_JAVA };
}

async function remembered(cache: string, version: string): Promise<z.infer<typeof versionFile> | undefined> {
  try {
    return versionFile.parse(JSON.parse(await readFile(fileOf(cache, version), 'utf8')));
  } catch {
    // Not there, or not whole: it is asked for again.
    return undefined;
  }
}

/** Versions are people's input: whatever one is called, its file is in the cache. */
function fileOf(cache: string, version: string): string {
  return path.join(cache, `${encodeURIComponent(version)}.json`);
}
