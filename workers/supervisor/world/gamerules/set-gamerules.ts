import { limitProblem } from '../../../../shared/domain/properties/known-gamerules.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Gamerule, GameruleValue, SetGamerules } from '../../../../shared/schema/gamerules.ts';
import type { Ask } from './ask-within.ts';
import { gameruleIn, refusalIn } from './gamerule-answer.ts';
import { reportedGamerule } from './reported-gamerule.ts';

/** A world that is turned off, such as the Nether. */
const NO_WORLD = /^Unknown dimension '/;

/** Throws `invalid_request` for a number that a known game rule should not have. */
export function requireWithinLimits(values: SetGamerules['rules']): void {
  for (const [name, value] of Object.entries(values)) {
    const problem = limitProblem(name, value);
    if (problem !== undefined) throw new GamekeeperError('invalid_request', `${name} ${problem}.`);
  }
}

/**
 * Sets game rules, one after the other, in the first world and in these others. Returns them with the values that the game reports for its
 * first world. Throws `command_rejected` with the game's own words.
 */
export async function setGamerules(
  values: SetGamerules['rules'],
  options: { ask: Ask; worlds: readonly string[] },
): Promise<Gamerule[]> {
  const set: Gamerule[] = [];
  for (const [name, value] of Object.entries(values)) set.push(await setOne({ name, value }, options));
  return set;
}

async function setOne(
  { name, value }: { name: string; value: GameruleValue },
  { ask, worlds }: { ask: Ask; worlds: readonly string[] },
): Promise<Gamerule> {
  const command = `gamerule ${name} ${value}`;
  const present = requireSet(await ask(command), { name, command });
  for (const world of worlds) {
    const inWorld = `execute in ${world} run ${command}`;
    const lines = await ask(inWorld);
    if (!lines.some((line) => NO_WORLD.test(line))) requireSet(lines, { name, command: inWorld });
  }
  return reportedGamerule(name, present);
}

function requireSet(lines: readonly string[], { name, command }: { name: string; command: string }): GameruleValue {
  const value = gameruleIn(lines, name);
  if (value !== undefined) return value;
  const words = refusalIn(lines, command) || 'The server did not report whether it worked.';
  throw new GamekeeperError('command_rejected', `${name}: ${words}`);
}
