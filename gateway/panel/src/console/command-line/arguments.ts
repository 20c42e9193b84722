import {
  GAMERULES,
  isNumber,
  type KnownGamerule,
  namesIn,
} from '../../../../../shared/domain/properties/known-gamerules.ts';
import { section } from '../../text/section.ts';

/** The words that follow commands, except game rules, and what they do (minecraft.wiki, "Commands"). */
export const argumentText = section({
  en: {
    'difficulty peaceful': 'No monsters and no hunger',
    'difficulty easy': 'Monsters do little damage',
    'difficulty normal': 'Monsters do normal damage',
    'difficulty hard': 'Monsters do a lot of damage, and hunger can kill',
    'gamemode survival': 'Gather, build and stay alive',
    'gamemode creative': 'Unlimited blocks, flying, no damage',
    'gamemode adventure': 'Like survival, but without breaking blocks',
    'gamemode spectator': 'Fly through everything, unseen by others',
    '<rule> true': 'Turns the rule on',
    '<rule> false': 'Turns the rule off',
    'time set': 'Sets the time of day',
    'time set day': 'Morning',
    'time set noon': 'Midday',
    'time set night': 'Evening, when monsters appear',
    'time set midnight': 'The middle of the night',
    'weather clear': 'Sunshine',
    'weather rain': 'Rain, or snow where it is cold',
    'weather thunder': 'A thunderstorm',
    'whitelist on': 'Only players on the whitelist can join',
    'whitelist off': 'Everyone can join',
    'whitelist add': 'Adds a player',
    'whitelist remove': 'Removes a player',
    'whitelist list': 'Lists the players on the whitelist',
    'whitelist reload': 'Reads whitelist.json again',
  },
  de: {
    'difficulty peaceful': 'Keine Monster und kein Hunger',
    'difficulty easy': 'Monster richten wenig Schaden an',
    'difficulty normal': 'Monster richten normalen Schaden an',
    'difficulty hard': 'Monster richten viel Schaden an, und Hunger kann töten',
    'gamemode survival': 'Sammeln, bauen und überleben',
    'gamemode creative': 'Unbegrenzt Blöcke, fliegen, kein Schaden',
    'gamemode adventure': 'Wie Überleben, aber ohne Blöcke abzubauen',
    'gamemode spectator': 'Durch alles fliegen, für andere unsichtbar',
    '<rule> true': 'Schaltet die Regel ein',
    '<rule> false': 'Schaltet die Regel aus',
    'time set': 'Legt die Tageszeit fest',
    'time set day': 'Morgen',
    'time set noon': 'Mittag',
    'time set night': 'Abend, wenn Monster erscheinen',
    'time set midnight': 'Mitten in der Nacht',
    'weather clear': 'Sonnenschein',
    'weather rain': 'Regen, oder Schnee, wo es kalt ist',
    'weather thunder': 'Gewitter',
    'whitelist on': 'Nur Spieler auf der Whitelist können beitreten',
    'whitelist off': 'Alle können beitreten',
    'whitelist add': 'Fügt einen Spieler hinzu',
    'whitelist remove': 'Entfernt einen Spieler',
    'whitelist list': 'Zeigt die Spieler auf der Whitelist',
    'whitelist reload': 'Liest whitelist.json neu ein',
  },
  zh: {
    'difficulty peaceful': '没有怪物，也不会饥饿',
    'difficulty easy': '怪物造成的伤害较低',
    'difficulty normal': '怪物造成的伤害普通',
    'difficulty hard': '怪物造成的伤害较高，饥饿可致死',
    'gamemode survival': '采集、建造并求生',
    'gamemode creative': '方块无限、可飞行、不受伤害',
    'gamemode adventure': '与生存模式类似，但不能破坏方块',
    'gamemode spectator': '可穿过一切飞行，其他玩家看不见',
    '<rule> true': '开启此规则',
    '<rule> false': '关闭此规则',
    'time set': '设置时间',
    'time set day': '早晨',
    'time set noon': '正午',
    'time set night': '入夜，怪物出现',
    'time set midnight': '午夜',
    'weather clear': '晴天',
    'weather rain': '下雨，寒冷处下雪',
    'weather thunder': '雷暴',
    'whitelist on': '仅白名单上的玩家可以加入',
    'whitelist off': '所有人都可以加入',
    'whitelist add': '添加玩家',
    'whitelist remove': '移除玩家',
    'whitelist list': '列出白名单上的玩家',
    'whitelist reload': '重新读取 whitelist.json',
  },
});

type Argument = keyof typeof argumentText.en;
const ARGUMENTS = Object.keys(argumentText.en) as Argument[];

/** Beginnings of commands that the name of a player follows: in lower case, with the space before it. */
export const BEFORE_PLAYER =
  /^(?:ban|clear|deop|give|kick|kill|msg|op|pardon|spawnpoint|tp(?: \S+)?|gamemode \S+|whitelist (?:add|remove)) $/;

export interface KnownWord {
  word: string;
  /** The key of its description, or of the game rule that it is. */
  about: Argument | { gamerule: string };
}

/** Returns the words that may follow the beginning of a command. `beginning`: as in BEFORE_PLAYER; `version`: of the game. */
export function argumentsAfter(beginning: string, version: string): KnownWord[] {
  const rules = gamerulesOf(version);
  if (beginning === 'gamerule ') return rules.map(({ word, rule }) => ({ word, about: { gamerule: rule.name } }));
  const isFlag = rules.some(({ word, rule }) => !isNumber(rule) && beginning === `gamerule ${word.toLowerCase()} `);
  return wordsAfter(isFlag ? '<rule> ' : beginning);
}

/** Returns the game rules that a version has, by its names; those of the newest one for "latest" and snapshots. */
function gamerulesOf(version: string): { word: string; rule: KnownGamerule }[] {
  return GAMERULES.flatMap((rule) => namesIn(rule, version, 'current').map((word) => ({ word, rule })));
}

function wordsAfter(beginning: string): KnownWord[] {
  return ARGUMENTS.flatMap((about) => {
    const [word] = /\S+$/.exec(about) ?? [];
    return word !== undefined && about === beginning + word ? [{ word, about }] : [];
  });
}
