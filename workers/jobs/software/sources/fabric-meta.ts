import * as z from 'zod';
import { fetchJson, ifThere, vendorOf } from '../../vendors/vendor.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

const versions = z.array(z.object({ version: z.string(), stable: z.boolean() }));
const loaders = z.array(z.object({ loader: z.object({ version: z.string(), stable: z.boolean() }) }));

/** Fabric (github.com/FabricMC/fabric-meta). Launchers are generated on request, so there are no checksums. */
export function createFabricMeta({ vendors, signal }: SourceContext): Source {
  const vendor = vendorOf('fabric', vendors);
  const root = `${vendor.base}/v2/versions`;
  return {
    async list() {
      return (await fetchJson({ vendor, url: `${root}/game`, schema: versions }, signal)).value;
    },
    async find(version, build) {
      const url = `${root}/loader/${encodeURIComponent(version)}`;
      const found = (await ifThere(fetchJson({ vendor, url, schema: loaders }, signal)))?.value ?? [];
      const newest = () => found.find((one) => one.loader.stable) ?? found[0];
      const { loader } = (build === undefined ? newest() : found.find((one) => one.loader.version === build)) ?? {};
      if (!loader) throw versionNotFound(version, 'Fabric has no loader for Minecraft', build);
      const { value } = await fetchJson({ vendor, url: `${root}/installer`, schema: versions.min(1) }, signal);
      const installer = value.find(({ stable }) => stable) ?? value[0]!;
      const jar = `${url}/${encodeURIComponent(loader.version)}/${encodeURIComponent(installer.version)}/server/jar`;
      return { version, build: loader.version, file: { vendor, url: jar } };
    },
  };
}
