/** Commands of vanilla servers that people type by hand (minecraft.wiki, "Commands"). */
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
 * Completes the last word of a command line: the first word as a command, the others as player names. If several match, completes
 * their common beginning. Returns `undefined` if there is nothing to add.
 */
export function complete(typed: string, players: readonly string[]): string | undefined {
  const start = typed.lastIndexOf(' ') + 1;
  const slash = start === 0 && typed.startsWith('/') ? 1 : 0;
  const word = typed.slice(start + slash).toLowerCase();
  if (word === '') return undefined;
  const matches = (start === 0 ? COMMANDS : players).filter((name) => name.toLowerCase().startsWith(word));
  const [first, ...others] = matches;
  if (first === undefined) return undefined;
  const common = others.reduce(commonBeginning, first);
  if (common.length <= word.length && others.length > 0) return undefined;
  return `${typed.slice(0, start + slash)}${common}${others.length === 0 ? ' ' : ''}`;
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length]?.toLowerCase() === b[length]?.toLowerCase()) length++;
  return a.slice(0, length);
}
