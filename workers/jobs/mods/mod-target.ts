import { NEWEST } from '../../../shared/domain/software/version-source.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { Peers } from '../resources/peers.ts';
import { knownSoftware } from '../software/known-software.ts';

/** What an instance's mods must be compatible with. */
export interface ModTarget {
  folder: 'mods' | 'plugins';
  /** The preferred one first. */
  loaders: readonly string[];
  /** Version of Minecraft; absent if mods are not made for particular versions, and while the instance has none. */
  gameVersion?: string;
  /** For sentences: "Paper 1.21.8". */
  title: string;
}

/** Throws `mods_unsupported`. */
export async function modTarget(
  { id, software, version }: InstanceConfig,
  daemon: Pick<Peers['daemon'], 'customSoftware'>,
): Promise<ModTarget> {
  const definition = await knownSoftware(software, daemon);
  if (!definition?.mods)
    throw new GamekeeperError(
      'mods_unsupported',
      `"${id}" runs ${definition?.title ?? software}, which has neither mods nor plugins.`,
    );
  const { folder, loaders, forMinecraft } = definition.mods;
  const title = `${definition.title} ${version}`;
  return { folder, loaders, title, ...(forMinecraft && version !== NEWEST && { gameVersion: version }) };
}
