import * as z from 'zod';
import { isRelease } from '../../../../shared/domain/software/minecraft-version.ts';
import { fetchJson, ifThere, vendorOf } from '../../vendors/vendor.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

const project = z.object({ versions: z.array(z.string()) });
const version = z.object({ builds: z.object({ latest: z.string().regex(/^\d+$/) }) });
const build = z.object({ md5: z.string().regex(/^[0-9a-f]{32}$/) });

/** Purpur (purpurmc.org/docs/purpur/developer/api). It only publishes MD5 checksums. */
export function createPurpur(name: string, { vendors, signal }: SourceContext): Source {
  const vendor = vendorOf('purpur', vendors);
  const root = `${vendor.base}/v2/${name}`;
  return {
    async list() {
      const { value } = await fetchJson({ vendor, url: root, schema: project }, signal);
      return value.versions.toReversed().map((id) => ({ version: id, stable: isRelease(id) }));
    },
    async find(id) {
      const url = `${root}/${encodeURIComponent(id)}`;
      const found = await ifThere(fetchJson({ vendor, url, schema: version }, signal));
      if (!found) throw versionNotFound(id, 'Purpur has no version');
      const { latest } = found.value.builds;
      const { value } = await fetchJson({ vendor, url: `${url}/${latest}`, schema: build }, signal);
      const file = { vendor, url: `${url}/${latest}/download`, digest: { algorithm: 'md5', hex: value.md5 } } as const;
      return { version: id, build: latest, file };
    },
  };
}
