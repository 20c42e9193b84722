import type { Language } from './languages.ts';

type GameruleWords = Record<Language, readonly [label: string, description?: string]>;

/**
 * Labels and descriptions of game rules by their keys; the English descriptions are the API's. The labels are those of the game, as far as it has
 * one.
 */
export const GAMERULE_WORDS: Readonly<Record<string, GameruleWords>> = {
  keep_inventory: {
    en: ['Keep inventory after death'],
    de: ['Inventar nach dem Tod behalten', 'Wer stirbt, behält Gegenstände und Erfahrung.'],
    zh: ['死亡后保留物品栏', '玩家死亡时保留物品和经验。'],
  },
  immediate_respawn: {
    en: ['Respawn immediately'],
    de: ['Sofortiger Wiedereinstieg', 'Wer stirbt, steigt ohne den Todesbildschirm wieder ein.'],
    zh: ['立即重生', '玩家死亡后不显示死亡界面，直接重生。'],
  },
  natural_health_regeneration: {
    en: ['Regenerate health'],
    de: ['Gesundheit regenerieren', 'Spieler, die nicht hungrig sind, regenerieren Gesundheit.'],
    zh: ['生命值自然恢复', '饥饿值充足的玩家会恢复生命值。'],
  },
  pvp: {
    en: ['Player versus player (PvP)'],
    de: ['Spieler gegen Spieler (PvP)', 'Spieler können einander verletzen.'],
    zh: ['玩家对战（PvP）', '玩家可以互相伤害。'],
  },
  players_sleeping_percentage: {
    en: ['Sleep percentage'],
    de: [
      'Schlafanteil',
      'So viel Prozent der Spieler müssen schlafen, damit die Nacht übersprungen wird. Über 100: nie.',
    ],
    zh: ['入睡占比', '跳过夜晚所需的入睡玩家百分比。大于 100：从不跳过。'],
  },
  respawn_radius: {
    en: ['Respawn radius'],
    de: ['Radius des Wiedereinstiegs', 'Blöcke um den Weltspawn, in denen Spieler ohne Bett wieder einsteigen.'],
    zh: ['重生点半径', '没有床的玩家在世界出生点周围多少格内重生。'],
  },
  locator_bar: {
    en: ['Locator Bar'],
    de: ['Ortungsleiste', 'Spieler sehen, in welcher Richtung die anderen sind.'],
    zh: ['玩家定位栏', '玩家可以看到其他玩家的方向。'],
  },
  spawn_mobs: {
    en: ['Spawn mobs'],
    de: ['Kreaturen erzeugen', 'Tiere und Monster erscheinen von selbst.'],
    zh: ['生成生物', '动物和怪物会自然生成。'],
  },
  spawn_monsters: {
    en: ['Spawn monsters'],
    de: ['Monster erzeugen', 'Monster erscheinen von selbst.'],
    zh: ['生成怪物', '怪物会自然生成。'],
  },
  spawn_phantoms: {
    en: ['Spawn phantoms'],
    de: ['Phantome erzeugen', 'Phantome greifen Spieler an, die tagelang nicht geschlafen haben.'],
    zh: ['生成幻翼', '幻翼会攻击多日未睡的玩家。'],
  },
  mob_griefing: {
    en: ['Destructive mob actions'],
    de: [
      'Zerstörung durch Kreaturen',
      'Kreaturen wie Creeper, Endermen und Dorfbewohner können Blöcke verändern und Gegenstände aufheben.',
    ],
    zh: ['允许破坏性生物行为', '苦力怕、末影人、村民等生物可以改变方块和捡起物品。'],
  },
  advance_time: {
    en: ['Advance time of day'],
    de: ['Tageszeit fortschreiten lassen', 'Tag und Nacht wechseln sich ab.'],
    zh: ['游戏内时间流逝', '昼夜交替。'],
  },
  advance_weather: {
    en: ['Update weather'],
    de: ['Wetterwechsel', 'Das Wetter ändert sich.'],
    zh: ['天气更替', '天气会变化。'],
  },
  doFireTick: {
    en: ['Update fire'],
    de: ['Feuerausbreitung', 'Feuer breitet sich aus und erlischt.'],
    zh: ['火焰蔓延', '火焰会蔓延和熄灭。'],
  },
  fire_spread_radius_around_player: {
    en: ['Fire spread radius'],
    de: ['Radius der Feuerausbreitung', 'Blöcke um Spieler, in denen sich Feuer ausbreitet. 0: nirgends. -1: überall.'],
    zh: ['火焰蔓延半径', '火焰在玩家周围多少格内蔓延。0：不蔓延。-1：不限距离。'],
  },
  random_tick_speed: {
    en: ['Random tick speed'],
    de: ['Tempo zufälliger Ticks', 'Wie schnell Pflanzen wachsen und Laub verfällt. 0: gar nicht.'],
    zh: ['随机刻速率', '植物生长和树叶腐烂的速度。0：停止。'],
  },
  allow_entering_nether_using_portals: {
    en: ['Nether portals'],
    de: ['Netherportale', 'Spieler können den Nether durch Portale betreten.'],
    zh: ['允许进入下界', '玩家可以通过传送门进入下界。'],
  },
  command_blocks_work: {
    en: ['Command blocks'],
    de: ['Befehlsblöcke', 'Blöcke in der Welt können Befehle ausführen.'],
    zh: ['启用命令方块', '世界中的方块可以执行命令。'],
  },
  show_advancement_messages: {
    en: ['Announce advancements'],
    de: ['Fortschritte bekannt geben', 'Der Chat zeigt die Fortschritte der Spieler.'],
    zh: ['进度通知', '聊天栏显示玩家达成的进度。'],
  },
  show_death_messages: {
    en: ['Show death messages'],
    de: ['Todesmeldungen anzeigen', 'Der Chat zeigt, wie Spieler gestorben sind.'],
    zh: ['显示死亡消息', '聊天栏显示玩家的死因。'],
  },
  send_command_feedback: {
    en: ['Send command feedback'],
    de: ['Befehlsrückmeldungen senden', 'Spieler sehen die Antworten auf ihre Befehle.'],
    zh: ['发送命令反馈', '玩家可以看到自己命令的结果。'],
  },
};
