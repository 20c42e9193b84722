import * as z from 'zod';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { fetchJson, vendorOf } from '../../vendors/vendor.ts';
import { type Source, type SourceContext, versionNotFound } from './source.ts';

const links = z.object({
  result: z.object({ links: z.array(z.object({ downloadType: z.string(), downloadUrl: z.url() })) }),
});

/** Names in Mojang's links, by Node's names of systems. */
const NAMES: Readonly<Record<string, { release: string; preview: string }>> = {
  linux: { release: 'serverBedrockLinux', preview: 'serverBedrockPreviewLinux' },
  win32: { release: 'serverBedrockWindows', preview: 'serverBedrockPreviewWindows' },
};
const VERSION = /bedrock-server-(\d+(?:\.\d+)+)\.zip$/;

/**
 * Bedrock's dedicated server: the links that Mojang's download page fetches (minecraft.net/download/server/bedrock, request
 * `/api/v1.0/download/links`). Only the newest release and preview are linked; older ones have the same address with their own number.
 * There are no checksums.
 */
export function createBedrockLinks({ vendors, signal }: SourceContext, platform = process.platform): Source {
  const vendor = vendorOf('bedrock', vendors);

  async function linked(): Promise<{ version: string; stable: boolean; url: string }[]> {
    const names = process.arch === 'x64' ? NAMES[platform] : undefined;
    if (!names)
      throw new GamekeeperError(
        'installation_failed',
        'Mojang makes the Bedrock server for Linux and Windows on x64 only.',
        {
          resolution: 'Use such a machine, or other software.',
        },
      );
    const url = `${vendor.base}/api/v1.0/download/links`;
    const { value } = await fetchJson({ vendor, url, schema: links }, signal);
    return Object.values(names).flatMap((name) => {
      const link = value.result.links.find(({ downloadType }) => downloadType === name)?.downloadUrl;
      const version = link && VERSION.exec(link)?.[1];
      return version ? [{ version, stable: name === names.release, url: link }] : [];
    });
  }

  return {
    async list() {
      return (await linked()).map(({ version, stable }) => ({ version, stable }));
    },
    async find(version) {
      const all = await linked();
      const [release] = all;
      const known = all.find((one) => one.version === version)?.url;
      const url =
        known ?? (/^\d+(?:\.\d+)+$/.test(version) && release?.url.replace(VERSION, `bedrock-server-${version}.zip`));
      if (!url) throw versionNotFound(version, 'There is no Bedrock server of version');
      return { version, build: version, file: { vendor, url } };
    },
  };
}
