import type { Language } from '../../../text/languages.ts';

export const GROUPS = ['game', 'players', 'world', 'network', 'other'] as const;
export type Group = (typeof GROUPS)[number];

interface PropertyWords {
  group: Group;
  /** What it is called, and what it does. */
  words: Record<Language, readonly [label: string, description: string]>;
}

/** Words for the properties that most people look for, in the order in which they are shown. The others go by their own names. */
export const PROPERTY_WORDS: Readonly<Record<string, PropertyWords>> = {
  motd: {
    group: 'game',
    words: {
      en: ['Message of the day', 'What players read below the name in their list of servers.'],
      de: ['Nachricht des Tages', 'Was Spieler in ihrer Serverliste unter dem Namen lesen.'],
      zh: ['每日消息', '玩家在服务器列表中名称下方看到的文字。'],
    },
  },
  gamemode: {
    group: 'game',
    words: {
      en: ['Game mode', 'How players begin who join for the first time.'],
      de: ['Spielmodus', 'Wie Spieler beginnen, die zum ersten Mal da sind.'],
      zh: ['游戏模式', '首次加入的玩家使用的模式。'],
    },
  },
  'force-gamemode': {
    group: 'game',
    words: {
      en: ['Game mode at each join', 'Puts players back into the game mode whenever they join.'],
      de: ['Spielmodus bei jedem Beitritt', 'Setzt Spieler bei jedem Beitritt in den Spielmodus zurück.'],
      zh: ['每次加入都重置模式', '玩家每次加入时都切换回默认游戏模式。'],
    },
  },
  difficulty: {
    group: 'game',
    words: {
      en: ['Difficulty', 'How much monsters and hunger hurt.'],
      de: ['Schwierigkeit', 'Wie sehr Monster und Hunger schaden.'],
      zh: ['难度', '怪物和饥饿造成的伤害程度。'],
    },
  },
  hardcore: {
    group: 'game',
    words: {
      en: ['Hardcore', 'Who dies may only watch from then on.'],
      de: ['Hardcore', 'Wer stirbt, darf danach nur noch zusehen.'],
      zh: ['极限模式', '玩家死亡后只能旁观。'],
    },
  },
  pvp: {
    group: 'game',
    words: {
      en: ['Players can hurt each other', 'Off: arrows and swords do nothing to other players.'],
      de: ['Spieler können sich verletzen', 'Aus: Pfeile und Schwerter tun anderen Spielern nichts.'],
      zh: ['允许玩家互相伤害', '关闭后，武器对其他玩家无效。'],
    },
  },
  'allow-flight': {
    group: 'game',
    words: {
      en: ['Allow flying', 'Do not throw out players whom a mod lets fly.'],
      de: ['Fliegen erlauben', 'Spieler nicht hinauswerfen, die eine Mod fliegen lässt.'],
      zh: ['允许飞行', '不会踢出借助模组飞行的玩家。'],
    },
  },
  'enable-command-block': {
    group: 'game',
    words: {
      en: ['Command blocks', 'Blocks in the world may run commands.'],
      de: ['Befehlsblöcke', 'Blöcke in der Welt dürfen Befehle ausführen.'],
      zh: ['命令方块', '世界中的方块可以执行命令。'],
    },
  },
  'max-players': {
    group: 'players',
    words: {
      en: ['Most players', 'More cannot join at the same time.'],
      de: ['Höchstens Spieler', 'Mehr können nicht zugleich beitreten.'],
      zh: ['最多玩家数', '同时在线人数的上限。'],
    },
  },
  'white-list': {
    group: 'players',
    words: {
      en: ['Only the allow list', 'Only players on the allow list may join.'],
      de: ['Nur die Zulassungsliste', 'Nur Spieler auf der Zulassungsliste dürfen beitreten.'],
      zh: ['仅限白名单', '只有白名单上的玩家可以加入。'],
    },
  },
  'enforce-whitelist': {
    group: 'players',
    words: {
      en: ['Allow list at once', 'Who is taken off the allow list has to leave at once.'],
      de: ['Zulassungsliste sofort', 'Wer von der Zulassungsliste genommen wird, muss sofort gehen.'],
      zh: ['立即执行白名单', '被移出白名单的玩家会立即被踢出。'],
    },
  },
  'online-mode': {
    group: 'players',
    words: {
      en: ['Check accounts', 'Off: anybody can join under any name. Only behind a proxy that checks.'],
      de: ['Konten prüfen', 'Aus: Jeder kann unter jedem Namen beitreten. Nur hinter einem Proxy, der prüft.'],
      zh: ['验证账户', '关闭后任何人都可用任意名称加入。仅在有验证的代理之后关闭。'],
    },
  },
  'player-idle-timeout': {
    group: 'players',
    words: {
      en: ['Minutes until idle players leave', '0: they may stay.'],
      de: ['Minuten, bis Untätige gehen müssen', '0: Sie dürfen bleiben.'],
      zh: ['闲置踢出（分钟）', '0 表示不踢出。'],
    },
  },
  'op-permission-level': {
    group: 'players',
    words: {
      en: ['What operators may do', '1 build at the spawn, 2 cheat, 3 kick and ban, 4 stop the server.'],
      de: [
        'Was Operatoren dürfen',
        '1 am Einstieg bauen, 2 schummeln, 3 hinauswerfen und bannen, 4 den Server stoppen.',
      ],
      zh: ['管理员权限等级', '1 可在出生点建造，2 可作弊，3 可踢出和封禁，4 可停止服务器。'],
    },
  },
  'level-name': {
    group: 'world',
    words: {
      en: ['World folder', 'Another name begins another world; the old one stays in its folder.'],
      de: ['Ordner der Welt', 'Ein anderer Name beginnt eine andere Welt; die alte bleibt in ihrem Ordner.'],
      zh: ['世界文件夹', '更改名称会开始新的世界；旧世界保留在原文件夹中。'],
    },
  },
  'level-seed': {
    group: 'world',
    words: {
      en: ['Seed', 'What a new world is grown from. Empty: by chance.'],
      de: ['Startwert', 'Woraus eine neue Welt wächst. Leer: zufällig.'],
      zh: ['种子', '生成新世界所用的种子。留空则随机。'],
    },
  },
  'view-distance': {
    group: 'world',
    words: {
      en: ['View distance', 'Chunks that players see in each direction. Costs memory and CPU.'],
      de: ['Sichtweite', 'Chunks, die Spieler in jede Richtung sehen. Kostet Arbeitsspeicher und CPU.'],
      zh: ['视距', '玩家在各方向可见的区块数。占用内存和 CPU。'],
    },
  },
  'simulation-distance': {
    group: 'world',
    words: {
      en: ['Simulation distance', 'Chunks around players in which things grow and move.'],
      de: ['Simulationsweite', 'Chunks um Spieler, in denen etwas wächst und sich bewegt.'],
      zh: ['模拟距离', '玩家周围会生长和活动的区块数。'],
    },
  },
  'spawn-protection': {
    group: 'world',
    words: {
      en: ['Protected spawn', 'Blocks around the spawn that only operators change.'],
      de: ['Geschützter Einstieg', 'Blöcke um den Einstieg, die nur Operatoren ändern.'],
      zh: ['出生点保护', '出生点周围仅管理员可修改的方块范围。'],
    },
  },
  'allow-nether': {
    group: 'world',
    words: {
      en: ['Nether', 'Portals to the Nether work.'],
      de: ['Nether', 'Portale in den Nether funktionieren.'],
      zh: ['下界', '下界传送门可用。'],
    },
  },
  'generate-structures': {
    group: 'world',
    words: {
      en: ['Villages and other structures', 'Applies where the world has not been made yet.'],
      de: ['Dörfer und andere Bauwerke', 'Gilt, wo die Welt noch nicht erzeugt ist.'],
      zh: ['生成村庄等建筑', '仅对尚未生成的区域有效。'],
    },
  },
  'server-port': {
    group: 'network',
    words: {
      en: ['Port', 'Is set on the Settings tab.'],
      de: ['Port', 'Wird unter „Einstellungen“ festgelegt.'],
      zh: ['端口', '在“设置”标签页中设定。'],
    },
  },
  'server-ip': {
    group: 'network',
    words: {
      en: ['Address to listen on', 'Empty: all of this machine. 127.0.0.1: nobody from outside.'],
      de: ['Adresse zum Lauschen', 'Leer: alle dieses Rechners. 127.0.0.1: niemand von außen.'],
      zh: ['监听地址', '留空表示本机所有地址。127.0.0.1 表示仅限本机。'],
    },
  },
  'enable-status': {
    group: 'network',
    words: {
      en: ['Show in server lists', 'Off: the server looks offline until one joins.'],
      de: ['In Serverlisten zeigen', 'Aus: Der Server sieht aus, als sei er aus.'],
      zh: ['在服务器列表中显示', '关闭后，服务器在列表中显示为离线。'],
    },
  },
  'hide-online-players': {
    group: 'network',
    words: {
      en: ['Hide who is online', 'Server lists show the number only.'],
      de: ['Verbergen, wer da ist', 'Serverlisten zeigen nur die Zahl.'],
      zh: ['隐藏在线玩家', '服务器列表只显示人数。'],
    },
  },
  'enable-rcon': {
    group: 'network',
    words: {
      en: ['RCON', 'Gamekeeper uses it to ask the server, and sets it by itself.'],
      de: ['RCON', 'Darüber spricht Gamekeeper mit dem Server und richtet es selbst ein.'],
      zh: ['RCON', 'Gamekeeper 通过它与服务器通信，并自动配置。'],
    },
  },
  'rcon.port': {
    group: 'network',
    words: {
      en: ['RCON port', 'Gamekeeper chooses one that is free.'],
      de: ['RCON-Port', 'Gamekeeper wählt einen freien.'],
      zh: ['RCON 端口', '由 Gamekeeper 选择空闲端口。'],
    },
  },
  'rcon.password': {
    group: 'network',
    words: {
      en: ['RCON password', 'Is shown to nobody.'],
      de: ['RCON-Passwort', 'Wird niemandem gezeigt.'],
      zh: ['RCON 密码', '不会显示给任何人。'],
    },
  },
};
