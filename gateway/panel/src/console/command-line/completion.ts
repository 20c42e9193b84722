/** What vanilla's servers and their descendants understand, as far as people type it by hand. */
const COMMANDS = [
  'advancement',
  'ban',
  'ban-ip',
  'banlist',
  'clear',
  'datapack',
  'defaultgamemode',
  'deop',
  'difficulty',
  'effect',
  'enchant',
  'execute',
  'experience',
  'fill',
  'function',
  'gamemode',
  'gamerule',
  'give',
  'help',
  'kick',
  'kill',
  'list',
  'locate',
  'msg',
  'op',
  'pardon',
  'pardon-ip',
  'save-all',
  'save-off',
  'save-on',
  'say',
  'scoreboard',
  'seed',
  'setworldspawn',
  'spawnpoint',
  'stop',
  'summon',
  'tellraw',
  'tick',
  'time',
  'title',
  'tp',
  'weather',
  'whitelist',
  'worldborder',
];

/**
 * Completes the last word of what was typed: a command at the beginning, a player's name behind it. Where several fit, as far as
 * they agree. `undefined`: nothing to add.
 */
export function complete(typed: string, players: readonly string[]): string | undefined {
  const start = typed.lastIndexOf(' ') + 1;
  const slash = start === 0 && typed.startsWith('/') ? 1 : 0;
  const word = typed.slice(start + slash).toLowerCase();
  if (word === '') return undefined;
  const fitting = (start === 0 ? COMMANDS : players).filter((name) => name.toLowerCase().startsWith(word));
  const [first, ...others] = fitting;
  if (first === undefined) return undefined;
  const shared = others.reduce(sharedBeginning, first);
  if (shared.length <= word.length && others.length > 0) return undefined;
  return `${typed.slice(0, start + slash)}${shared}${others.length === 0 ? ' ' : ''}`;
}

function sharedBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length]?.toLowerCase() === b[length]?.toLowerCase()) length++;
  return a.slice(0, length);
}
