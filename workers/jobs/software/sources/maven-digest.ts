import type { Digest } from '../../vendors/digest.ts';
import { fetchText, ifThere, type Vendor } from '../../vendors/vendor.ts';

/** Returns an artifact's checksum (maven.apache.org/resolver, "Checksums"), or `undefined` if there is no such artifact. */
export async function mavenDigest(
  { vendor, url }: { vendor: Vendor; url: string },
  signal: AbortSignal,
): Promise<Digest | undefined> {
  const text = await ifThere(fetchText({ vendor, url: `${url}.sha1` }, signal));
  const hex = text && /^[0-9a-f]{40}\b/i.exec(text.trim())?.[0];
  return hex ? { algorithm: 'sha1', hex: hex.toLowerCase() } : undefined;
}
