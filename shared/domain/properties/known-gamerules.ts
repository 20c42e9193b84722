import { hasPlace, isBelow } from '../software/minecraft-version.ts';
import table from './gamerules.json' with { type: 'json' };

/**
 * A game rule of Minecraft (Java) that many owners set. Sources: minecraft.wiki ("Game rule", "Commands/gamerule"), and for both names
 * GeyserMC/Geyser (`level/gamerule/GameRules.java`), which has them side by side.
 */
export interface KnownGamerule {
  /** In the newest version that has it. */
  name: string;
  /** Its name before 1.21.11. Absent: the same. */
  before?: string;
  /** Of a number. Below it, the value means nothing, and current versions refuse it. */
  minimum?: number;
  description: string;
  /** First version of Minecraft that has it. */
  since: string;
  /** First version without it. Absent: there is none. */
  until?: string;
}

/** The first version of Minecraft (Java) whose game rules have names such as `keep_inventory` rather than `keepInventory`. */
const RENAMED_IN = '1.21.11';

/** In display order. */
export const GAMERULES: readonly KnownGamerule[] = table as KnownGamerule[];

/**
 * Returns the names that a game rule may have in a version, the likeliest first; none if the version lacks it. A version without a place in
 * the order ("custom", a snapshot) may be of any time.
 */
export function namesIn({ name, before = name, since, until }: KnownGamerule, version: string): string[] {
  if (!hasPlace(version)) return [...new Set([name, before])];
  if (isBelow(version, since) || (until !== undefined && !isBelow(version, until))) return [];
  return [isBelow(version, RENAMED_IN) ? before : name];
}

/** Returns the game rule that has this name in some version. */
export function knownGamerule(name: string): KnownGamerule | undefined {
  return GAMERULES.find((rule) => rule.name === name || rule.before === name);
}
