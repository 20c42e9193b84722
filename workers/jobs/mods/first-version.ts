import { NEWEST, versionSourceOf } from '../../../shared/domain/software/version-source.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { Peers } from '../resources/peers.ts';
import { findRelease } from '../software/find-release.ts';
import { knownSoftware } from '../software/known-software.ts';
import type { ModSources } from './fetch-mods.ts';

interface FirstVersionContext {
  daemon: Pick<Peers['daemon'], 'customSoftware'>;
  sources: Pick<ModSources, 'vendors' | 'manifests'>;
  signal: AbortSignal;
}

/** Returns the version that the first start would choose now for an instance without one, else its version. Throws `vendor_unavailable`. */
export async function firstVersion(
  { id, software, version }: InstanceConfig,
  { daemon, sources, signal }: FirstVersionContext,
): Promise<string> {
  if (version !== NEWEST) return version;
  const definition = await knownSoftware(software, daemon);
  if (!definition?.mods?.forMinecraft) return version;
  const source = versionSourceOf(definition);
  if (!source)
    throw new GamekeeperError('invalid_state', `The version of "${id}" is not known.`, {
      resolution: 'Set the version of Minecraft in its settings.',
    });
  const context = { vendors: await sources.vendors(), cache: sources.manifests, signal };
  return (await findRelease(source, NEWEST, context)).version;
}
