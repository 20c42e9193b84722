import { GAMERULES, type NameStyle, namesIn, styleOf } from '../../../../shared/domain/properties/known-gamerules.ts';
import type { Gamerule } from '../../../../shared/schema/gamerules.ts';
import type { Ask } from './ask-within.ts';
import { gameruleIn } from './gamerule-answer.ts';
import { reportedGamerule } from './reported-gamerule.ts';

/** Returns the known game rules that the game has. Throws as `ask` does. */
export async function readGamerules({ ask, version }: { ask: Ask; version: string }): Promise<Gamerule[]> {
  const found: Gamerule[] = [];
  /** The first name with a style that the game answers to shows how it names the others. */
  let style: NameStyle | undefined;
  for (const rule of GAMERULES) {
    const read = await readFirst(namesIn(rule, version, style), ask);
    if (!read) continue;
    found.push(read);
    style ??= styleOf(read.name);
  }
  return found;
}

/** Returns the rule that the game has under one of these names. */
async function readFirst(names: readonly string[], ask: Ask): Promise<Gamerule | undefined> {
  for (const name of names) {
    const value = gameruleIn(await ask(`gamerule ${name}`), name);
    if (value !== undefined) return reportedGamerule(name, value);
  }
  return undefined;
}
