import * as z from 'zod';
import type { VersionSource } from '../../../../shared/domain/software/definition.ts';
import { isRelease } from '../../../../shared/domain/software/minecraft-version.ts';
import { fetchJson, ifThere, vendorError, vendorOf } from '../../vendors/vendor.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

const project = z.object({ versions: z.record(z.string(), z.array(z.string())) });
const details = z.object({
  version: z.object({ java: z.object({ version: z.object({ minimum: z.int() }) }).nullish() }),
});
const builds = z.array(
  z.object({
    id: z.int(),
    channel: z.string(),
    downloads: z.record(
      z.string(),
      z.object({
        url: z.url(),
        size: z.int().positive(),
        checksums: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
      }),
    ),
  }),
);

/** The other channels are ALPHA and BETA. */
const FINISHED = ['STABLE', 'RECOMMENDED'];

type PaperFill = Extract<VersionSource, { type: 'paper-fill' }>;

/** PaperMC's projects: Fill v3 (docs.papermc.io, "Downloads Service"; fill.papermc.io/swagger-ui). */
export function createPaperFill({ project: name, stableBy }: PaperFill, { vendors, signal }: SourceContext): Source {
  const vendor = vendorOf('paper', vendors);
  const root = `${vendor.base}/v3/projects/${name}`;
  return {
    async list() {
      const { value } = await fetchJson({ vendor, url: root, schema: project }, signal);
      // Grouped ("1.21"), newest first in both.
      return Object.values(value.versions)
        .flat()
        .map((version) => ({ version, stable: stableBy === 'builds' || isRelease(version) }));
    },
    async find(version) {
      const url = `${root}/versions/${encodeURIComponent(version)}`;
      const found = await ifThere(fetchJson({ vendor, url: `${url}/builds`, schema: builds }, signal));
      const build = found?.value.find(({ channel }) => FINISHED.includes(channel)) ?? found?.value[0];
      if (!build) throw versionNotFound(version, `PaperMC has no build of ${name}`);
      const download = build.downloads['server:default'];
      if (!download) throw vendorError(vendor, `Build ${build.id} of ${name} ${version} has no download.`);
      const { value } = await fetchJson({ vendor, url, schema: details }, signal);
      return {
        version,
        build: String(build.id),
        isFinished: FINISHED.includes(build.channel),
        java: value.version.java?.version.minimum,
        file: {
          vendor,
          url: download.url,
          bytes: download.size,
          digest: { algorithm: 'sha256', hex: download.checksums.sha256 },
        },
      };
    },
  };
}
