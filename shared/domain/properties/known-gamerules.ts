import { hasPlace, isBelow } from '../software/minecraft-version.ts';
import table from './gamerules.json' with { type: 'json' };
import { valueProblem } from './property.ts';

/**
 * A game rule of Minecraft (Java) that many owners set. Sources: minecraft.wiki ("Game rule", "Commands/gamerule"), and for both names
 * GeyserMC/Geyser (`level/gamerule/GameRules.java`), which has them side by side.
 */
export interface KnownGamerule {
  /** In the newest version that has it. */
  name: string;
  /** Its name before 1.21.11. Absent: the same. */
  before?: string;
  /** Of a number, which has both limits: below it, the value means nothing, and current versions refuse it. Absent: it is on or off. */
  minimum?: number;
  /** Above it, the value means nothing or stalls the server, although the game takes it. */
  maximum?: number;
  description: string;
  /** First version of Minecraft that has it. */
  since: string;
  /** First version without it. Absent: there is none. */
  until?: string;
}

/** How a version names its game rules: `keep_inventory`, or `keepInventory` before 1.21.11. */
export type NameStyle = 'current' | 'former';

/** The first version of Minecraft (Java) whose game rules have names such as `keep_inventory` rather than `keepInventory`. */
const RENAMED_IN = '1.21.11';

/** In display order. */
export const GAMERULES: readonly KnownGamerule[] = table as KnownGamerule[];

/**
 * Returns the names that a game rule may have in a version, the likeliest first; none if the version lacks it. A version without a place in
 * the order ("custom", a snapshot) may be of any time, unless the style of its names is known.
 */
export function namesIn(
  { name, before = name, since, until }: KnownGamerule,
  version: string,
  style?: NameStyle,
): string[] {
  if (isBelow(version, since)) return [];
  if (!hasPlace(version))
    return [...new Set([name, before])].filter((each) => !style || (styleOf(each) ?? style) === style);
  if (until !== undefined && !isBelow(version, until)) return [];
  return [isBelow(version, RENAMED_IN) ? before : name];
}

/** Returns the style of a known game rule's name; `undefined` for a single word such as `pvp`, which is the same in both. */
export function styleOf(name: string): NameStyle | undefined {
  if (/[A-Z]/.test(name)) return 'former';
  return name.includes('_') ? 'current' : undefined;
}

/** Returns the game rule that has this name in some version. */
export function knownGamerule(name: string): KnownGamerule | undefined {
  const own = withoutNamespace(name);
  return GAMERULES.find((rule) => rule.name === own || rule.before === own);
}

/** Current versions know their own rules with and without it. */
export function withoutNamespace(name: string): string {
  return name.replace(/^minecraft:/, '');
}

/** Returns whether the value of a known game rule is a number. */
export function isNumber({ minimum }: KnownGamerule): boolean {
  return minimum !== undefined;
}

/** Returns what is wrong with a number for a known game rule, to follow the name in a sentence; `undefined` if nothing is. */
export function limitProblem(name: string, value: boolean | number): string | undefined {
  const rule = knownGamerule(name);
  // The game itself refuses values of the wrong type.
  if (!rule || !isNumber(rule) || typeof value !== 'number') return undefined;
  return valueProblem({ ...rule, type: 'integer' }, String(value));
}
