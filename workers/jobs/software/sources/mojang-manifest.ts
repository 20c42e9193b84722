import { vendorOf } from '../../vendors/vendor.ts';
import { versionDetails, versionManifest } from '../mojang.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

/** The manifest has no Java version for Minecraft before 1.17; all of those ran on this. */
const OLDEST_JAVA = 8;

/** Mojang's own servers (minecraft.wiki, "Version manifest"). */
export function createMojangManifest(context: SourceContext): Source {
  return {
    async list() {
      const { versions } = await versionManifest(context);
      return versions.map(({ id, type }) => ({ version: id, stable: type === 'release' }));
    },
    async find(version) {
      const details = await versionDetails(version, context);
      if (!details) throw versionNotFound(version, 'Minecraft has no version');
      const { server } = details.downloads;
      if (!server) throw versionNotFound(version, 'There is no server to download for Minecraft');
      const { url, sha1, size: bytes } = server;
      const file = {
        vendor: vendorOf('mojang', context.vendors),
        url,
        bytes,
        digest: { algorithm: 'sha1', hex: sha1 },
      } as const;
      return { version, build: version, java: details.javaVersion?.majorVersion ?? OLDEST_JAVA, file };
    },
  };
}
