import type { AdoptedSettings } from '../../../shared/contract/daemon/instances.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** A setting that both the instance and its `server.properties` have. */
export interface Link {
  key: string;
  /** Its name in `PATCH /instances/{id}`. */
  setting: 'port' | 'maxPlayers' | 'rcon.port';
  /** The instance's value. */
  value: string;
  /** The maximum for the instance. */
  maximum: number;
}

export interface Sides {
  links: readonly Link[];
  /** The values in the file. */
  values: Readonly<Record<string, string>>;
  /** The values on which both last agreed; `undefined` if they are not known. */
  agreed: Readonly<Record<string, string>> | undefined;
  /** True if every start writes the instance's settings into the file, as for all software but custom. */
  governed: boolean;
}

/** The changes that make both sides equal. */
export interface Reconciliation {
  toFile: Record<string, string>;
  /** Values that were edited in the file, by key. */
  toInstance: Record<string, string>;
}

/** Returns the settings of an instance that its file has as well. */
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
 * Compares file and instance like a three-way merge: the side that has changed since they last agreed wins. If both have changed, or the last
 * agreement is not known, the instance wins.
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

/** Returns whether the value is valid for the instance. */
export function isInRange({ maximum }: Link, value: string): boolean {
  return /^[1-9]\d{0,5}$/.test(value) && Number(value) <= maximum;
}

/** Returns the change of the instance that adopts values of the file. The RCON port then counts as chosen by the owner. */
export function adoptedSettings(values: Readonly<Record<string, string>>, { rcon }: InstanceConfig): AdoptedSettings {
  const { 'server-port': port, 'max-players': maxPlayers, 'rcon.port': rconPort } = values;
  return {
    ...(port !== undefined && { port: Number(port) }),
    ...(maxPlayers !== undefined && { maxPlayers: Number(maxPlayers) }),
    ...(rconPort !== undefined && rcon && { rcon: { port: Number(rconPort), password: rcon.password } }),
  };
}
