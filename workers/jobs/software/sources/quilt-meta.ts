import * as z from 'zod';
import { fetchJson, ifThere, vendorOf } from '../../vendors/vendor.ts';
import { mavenDigest } from './maven-digest.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

const games = z.array(z.object({ version: z.string(), stable: z.boolean() }));
const loaders = z.array(z.object({ loader: z.object({ version: z.string() }) }));
const installers = z.array(z.object({ url: z.url(), version: z.string() })).min(1);

/** Quilt (meta.quiltmc.org): an installer from its Maven, with a checksum beside it. */
export function createQuiltMeta({ vendors, signal }: SourceContext): Source {
  const vendor = vendorOf('quilt', vendors);
  const root = `${vendor.base}/v3/versions`;
  return {
    async list() {
      return (await fetchJson({ vendor, url: `${root}/game`, schema: games }, signal)).value;
    },
    async find(version, build) {
      const url = `${root}/loader/${encodeURIComponent(version)}`;
      const found = (await ifThere(fetchJson({ vendor, url, schema: loaders }, signal)))?.value ?? [];
      // Only the version of a loader shows whether it is stable: 0.29.2, 0.30.0-beta.1.
      const newest = () => found.find((one) => !one.loader.version.includes('-')) ?? found[0];
      const { loader } = (build === undefined ? newest() : found.find((one) => one.loader.version === build)) ?? {};
      if (!loader) throw versionNotFound(version, 'Quilt has no loader for Minecraft', build);
      const { value } = await fetchJson({ vendor, url: `${root}/installer`, schema: installers }, signal);
      const [installer] = value;
      const digest = await mavenDigest({ vendor, url: installer!.url }, signal);
      return { version, build: loader.version, file: { vendor, url: installer!.url, digest } };
    },
  };
}
