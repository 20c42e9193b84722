import type { AdoptedSettings } from '../../../shared/contract/daemon/instances.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** A setting of the instance that stands in `server.properties` as well. */
export interface Link {
  key: string;
  /** What it is called in `PATCH /instances/{id}`. */
  setting: 'port' | 'maxPlayers' | 'rcon.port';
  /** As the instance has it. */
  value: string;
  /** The highest number that the instance takes. */
  maximum: number;
}

export interface Sides {
  links: readonly Link[];
  /** What the file says. */
  values: Readonly<Record<string, string>>;
  /** What both said when they last agreed; `undefined`: nobody knows. */
  agreed: Readonly<Record<string, string>> | undefined;
  /** Whether the file is written from the instance's settings at every start. That of a program of the owner's is not. */
  governed: boolean;
}

/** What has to be done so that both say the same. */
export interface Reconciliation {
  toFile: Record<string, string>;
  /** Values that somebody has written into the file by hand, by key. */
  toInstance: Record<string, string>;
}

/** The settings of an instance that its file has as well. */
export function linksOf(config: InstanceConfig, { settingsFile }: SoftwareDefinition): Link[] {
  if (settingsFile !== undefined) return [];
  const links: Link[] = [{ key: 'server-port', setting: 'port', value: String(config.port), maximum: 65_535 }];
  if (config.maxPlayers !== undefined)
    links.push({ key: 'max-players', setting: 'maxPlayers', value: String(config.maxPlayers), maximum: 100_000 });
  if (config.rcon)
    links.push({ key: 'rcon.port', setting: 'rcon.port', value: String(config.rcon.port), maximum: 65_535 });
  return links;
}

/**
 * Brings file and instance together, as one merges three versions: the side counts that has changed since they agreed; where both have,
 * or nobody knows, it is the instance.
 */
export function reconcile({ links, values, agreed, governed }: Sides): Reconciliation {
  const result: Reconciliation = { toFile: {}, toInstance: {} };
  for (const link of links) {
    const { key, value } = link;
    const inFile = values[key];
    const before = agreed?.[key];
    if (inFile === value) continue;
    const isByHand = inFile !== undefined && inFile !== before && before === value && isInRange(link, inFile);
    if (isByHand) result.toInstance[key] = inFile;
    else if (governed || (before !== undefined && inFile === before)) result.toFile[key] = value;
  }
  return result;
}

/** True when the instance can have this as well. */
export function isInRange({ maximum }: Link, value: string): boolean {
  return /^[1-9]\d{0,5}$/.test(value) && Number(value) <= maximum;
}

/** The change of the instance that takes values of the file over. A port of RCON that somebody has chosen is kept from then on. */
export function adoptedSettings(values: Readonly<Record<string, string>>, { rcon }: InstanceConfig): AdoptedSettings {
  const { 'server-port': port, 'max-players': maxPlayers, 'rcon.port': rconPort } = values;
  return {
    ...(port !== undefined && { port: Number(port) }),
    ...(maxPlayers !== undefined && { maxPlayers: Number(maxPlayers) }),
    ...(rconPort !== undefined && rcon && { rcon: { port: Number(rconPort), password: rcon.password } }),
  };
}
