import { withoutNamespace } from '../../../../shared/domain/properties/known-gamerules.ts';
import type { GameruleValue } from '../../../../shared/schema/gamerules.ts';

/**
 * What `gamerule` answers (minecraft.wiki, "Commands/gamerule"): in 1.13 and later, after a change in 1.9 to 1.12, and to a question in these.
 * Dedicated servers answer in English, whatever the language of the machine.
 */
const ANSWERS = [
  /^Gamerule (?<name>\S{1,200}) is (?:currently|now) set to: (?<value>\S{1,20})$/,
  /^Game rule (?<name>\S{1,200}) has been updated to (?<value>\S{1,20})$/,
  /^(?<name>\S{1,200}) = (?<value>\S{1,20})$/,
];

/** Where vanilla shows what is wrong with a command. */
const POINTER = '<--[HERE]';

/** Returns the value of a game rule from the lines of an answer, without colours; `undefined` if they do not have it. */
export function gameruleIn(lines: readonly string[], name: string): GameruleValue | undefined {
  for (const line of lines)
    for (const pattern of ANSWERS) {
      const found = pattern.exec(line.trim())?.groups;
      if (found && withoutNamespace(found.name!) === withoutNamespace(name)) return valueIn(found.value!);
    }
  return undefined;
}

/** Returns why a game refused a command, in its own words; empty if it said nothing. */
export function refusalIn(lines: readonly string[], command: string): string {
  return lines
    .map((line) => withoutPointer(line.trim(), command))
    .filter((line) => line !== '')
    .join(' ');
}

function valueIn(text: string): GameruleValue | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  const isNumber = /^-?\d{1,10}$/.test(text) && isOf32Bits(Number(text));
  return isNumber ? Number(text) : undefined;
}

function isOf32Bits(number: number): boolean {
  return (number | 0) === number;
}

/**
 * Cuts off the end of the command, which vanilla repeats as a message of its own: over RCON, nothing is between the two ("Incorrect argument for
 * commandgamerule pvp<--[HERE]").
 */
function withoutPointer(line: string, command: string): string {
  if (!line.endsWith(POINTER)) return line;
  const text = line.slice(0, -POINTER.length);
  let same = 0;
  while (same < command.length && text.at(-1 - same) === command.at(-1 - same)) same++;
  return text.slice(0, text.length - same).replace(/\.\.\.$/, '');
}
