import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { readValidJson } from '../../../shared/node/files/json-record.ts';
import { fetchJson, type VendorAddresses, vendorError, vendorOf } from '../vendors/vendor.ts';

/** Mojang's version manifest and its file for each version (minecraft.wiki, "Version manifest" and "Client.json"). */
export type VersionFile = z.infer<typeof versionFile>;

export interface MojangContext {
  vendors: VendorAddresses;
  /** Folder for answers that never change. With them, an installed server starts offline. */
  cache: string;
  signal: AbortSignal;
}

const sha1 = z.string().regex(/^[0-9a-f]{40}$/);
const manifest = z.object({
  latest: z.object({ release: z.string() }),
  versions: z.array(z.object({ id: z.string(), type: z.string(), url: z.url(), sha1 })),
});
const versionFile = z.object({
  downloads: z.object({ server: z.object({ url: z.url(), sha1, size: z.int().positive() }).optional() }),
  javaVersion: z.object({ majorVersion: z.int() }).optional(),
});

export async function versionManifest({ vendors, signal }: MojangContext): Promise<z.infer<typeof manifest>> {
  const vendor = vendorOf('mojang', vendors);
  const url = `${vendor.base}/mc/game/version_manifest_v2.json`;
  return (await fetchJson({ vendor, url, schema: manifest }, signal)).value;
}

/** Returns the details of a version, or `undefined` if it does not exist. Throws `vendor_unavailable`. */
export async function versionDetails(version: string, context: MojangContext): Promise<VersionFile | undefined> {
  const known = await readValidJson(fileOf(context.cache, version), versionFile);
  if (known) return known;
  const vendor = vendorOf('mojang', context.vendors);
  const listed = (await versionManifest(context)).versions.find(({ id }) => id === version);
  if (!listed) return undefined;
  const { value, text } = await fetchJson({ vendor, url: listed.url, schema: versionFile }, context.signal);
  if (createHash('sha1').update(text).digest('hex') !== listed.sha1)
    throw vendorError(vendor, `The file about Minecraft ${version} is damaged: its checksum is wrong.`);
  await mkdir(context.cache, { recursive: true });
  await writeFileAtomically(fileOf(context.cache, version), text);
  return value;
}

/** The version is user input: encoded, its file stays in the cache. */
function fileOf(cache: string, version: string): string {
  return path.join(cache, `${encodeURIComponent(version)}.json`);
}
