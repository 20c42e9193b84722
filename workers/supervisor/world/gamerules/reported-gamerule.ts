import { knownGamerule } from '../../../../shared/domain/properties/known-gamerules.ts';
import type { Gamerule, GameruleValue } from '../../../../shared/schema/gamerules.ts';

/** Returns a game rule with the value that the game reports. */
export function reportedGamerule(name: string, value: GameruleValue): Gamerule {
  const known = knownGamerule(name);
  return {
    name,
    key: known?.name ?? name,
    known: known !== undefined,
    type: typeof value === 'boolean' ? 'boolean' : 'integer',
    value,
    ...(known?.minimum !== undefined && { minimum: known.minimum }),
    ...(known?.maximum !== undefined && { maximum: known.maximum }),
    ...(known && { description: known.description }),
  };
}
