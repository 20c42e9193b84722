import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { Peers } from '../resources/peers.ts';
import { NEWEST } from '../software/find-release.ts';
import { knownSoftware } from '../software/known-software.ts';

/** What mods have to fit. */
export interface ModTarget {
  folder: 'mods' | 'plugins';
  /** The best first. */
  loaders: readonly string[];
  /** Of Minecraft; absent: they are made for all, as far as anybody says. */
  gameVersion?: string;
  /** As in sentences: "Paper 1.21.8". */
  title: string;
}

/** Throws `mods_unsupported`, and `invalid_state` for an instance whose version is not settled yet. */
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
  if (forMinecraft && version === NEWEST)
    throw new GamekeeperError('invalid_state', `Which version "${id}" has is settled when it starts the first time.`, {
      resolution: 'Start it once, or set a version.',
    });
  const title = `${definition.title} ${version}`;
  return { folder, loaders, title, ...(forMinecraft && { gameVersion: version }) };
}
