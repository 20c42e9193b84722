import { section } from '../../text/section.ts';

/** The words that follow commands, and what they do (minecraft.wiki, "Commands" and "Game rule"). Rules have the names since 1.21.11. */
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
    'gamerule keep_inventory': 'Players keep their items when they die',
    'gamerule pvp': 'Players can hurt each other',
    'gamerule mob_griefing': 'Creepers and other mobs can change blocks',
    'gamerule advance_time': 'Day and night alternate',
    'gamerule advance_weather': 'The weather changes',
    'gamerule spawn_mobs': 'Animals and monsters appear by themselves',
    'gamerule spawn_phantoms': 'Phantoms attack players who have not slept',
    'gamerule natural_health_regeneration': 'Players who have eaten enough regain health',
    'gamerule immediate_respawn': 'Players respawn without a death screen',
    'gamerule show_death_messages': 'Deaths are announced in the chat',
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
    'gamerule keep_inventory': 'Spieler behalten beim Tod ihre Gegenstände',
    'gamerule pvp': 'Spieler können einander verletzen',
    'gamerule mob_griefing': 'Creeper und andere Kreaturen können Blöcke verändern',
    'gamerule advance_time': 'Tag und Nacht wechseln sich ab',
    'gamerule advance_weather': 'Das Wetter wechselt',
    'gamerule spawn_mobs': 'Tiere und Monster erscheinen von selbst',
    'gamerule spawn_phantoms': 'Phantome greifen Spieler an, die nicht geschlafen haben',
    'gamerule natural_health_regeneration': 'Satte Spieler heilen von selbst',
    'gamerule immediate_respawn': 'Spieler steigen ohne Todesbildschirm wieder ein',
    'gamerule show_death_messages': 'Tode werden im Chat gemeldet',
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
    'gamerule keep_inventory': '玩家死亡后保留物品',
    'gamerule pvp': '玩家可以互相伤害',
    'gamerule mob_griefing': '苦力怕等生物可以改变方块',
    'gamerule advance_time': '昼夜交替',
    'gamerule advance_weather': '天气变化',
    'gamerule spawn_mobs': '动物和怪物自然生成',
    'gamerule spawn_phantoms': '幻翼攻击长期未睡觉的玩家',
    'gamerule natural_health_regeneration': '饱食的玩家自动恢复生命值',
    'gamerule immediate_respawn': '玩家立即重生，不显示死亡界面',
    'gamerule show_death_messages': '在聊天栏显示死亡消息',
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

export type Argument = keyof typeof argumentText.en;
const ARGUMENTS = Object.keys(argumentText.en) as Argument[];

/** Beginnings of commands that the name of a player follows: in lower case, with the space before it. */
export const BEFORE_PLAYER =
  /^(?:ban|clear|deop|give|kick|kill|msg|op|pardon|spawnpoint|tp(?: \S+)?|gamemode \S+|whitelist (?:add|remove)) $/;

const BEFORE_1_21_11 = /^(?:[abc]\d|rd-|inf-|1\.(?:1?\d|20)(?:\D|$)|1\.21(?:\.(?:\d|10))?(?:[^.\d]|$))/;

/** Names before 1.21.11 (minecraft.wiki, "Game rule"). The others are newer. */
const FORMER_RULES: Partial<Record<Argument, string>> = {
  'gamerule keep_inventory': 'keepInventory',
  'gamerule mob_griefing': 'mobGriefing',
  'gamerule advance_time': 'doDaylightCycle',
  'gamerule advance_weather': 'doWeatherCycle',
  'gamerule spawn_mobs': 'doMobSpawning',
  'gamerule spawn_phantoms': 'doInsomnia',
  'gamerule natural_health_regeneration': 'naturalRegeneration',
  'gamerule immediate_respawn': 'doImmediateRespawn',
  'gamerule show_death_messages': 'showDeathMessages',
};

interface KnownWord {
  word: string;
  /** The key of its description. */
  about: Argument;
}

/** Returns the words that may follow the beginning of a command. `beginning`: as in BEFORE_PLAYER; `version`: of the game. */
export function argumentsAfter(beginning: string, version: string): KnownWord[] {
  const rules = wordsAfter('gamerule ', version);
  const isRule = rules.some(({ word }) => beginning === `gamerule ${word.toLowerCase()} `);
  return wordsAfter(isRule ? '<rule> ' : beginning, version);
}

function wordsAfter(beginning: string, version: string): KnownWord[] {
  return ARGUMENTS.flatMap((about) => {
    const [last = ''] = /\S+$/.exec(about) ?? [];
    if (about !== beginning + last) return [];
    const word = beginning === 'gamerule ' && BEFORE_1_21_11.test(version) ? FORMER_RULES[about] : last;
    return word === undefined ? [] : [{ word, about }];
  });
}
