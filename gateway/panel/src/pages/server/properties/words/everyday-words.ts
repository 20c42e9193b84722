import type { WordsByProperty } from './words-by-property.ts';

/** The properties that most people look for. */
export const everydayWords: WordsByProperty = {
  motd: {
    group: 'game',
    en: ['Message of the day', 'Shown to players below the name in their server list.'],
    de: ['Nachricht des Tages (MOTD)', 'Steht in der Serverliste der Spieler unter dem Namen.'],
    zh: ['服务器描述（MOTD）', '显示在玩家的服务器列表中，位于名称下方。'],
  },
  gamemode: {
    group: 'game',
    en: ['Game mode', 'Game mode of new players.'],
    de: ['Spielmodus', 'Spielmodus neuer Spieler.'],
    zh: ['游戏模式', '新玩家的游戏模式。'],
  },
  'force-gamemode': {
    group: 'game',
    en: ['Reset game mode on join', 'Players get the default game mode each time they join.'],
    de: [
      'Spielmodus beim Beitritt zurücksetzen',
      'Spieler erhalten bei jedem Beitritt wieder den Standard-Spielmodus.',
    ],
    zh: ['加入时重置游戏模式', '玩家每次加入时都恢复为默认游戏模式。'],
  },
  difficulty: {
    group: 'game',
    en: ['Difficulty', 'How much damage monsters and hunger cause.'],
    de: ['Schwierigkeit', 'Wie viel Schaden Monster und Hunger anrichten.'],
    zh: ['难度', '怪物和饥饿造成的伤害程度。'],
  },
  hardcore: {
    group: 'game',
    en: ['Hardcore', 'Players who die become spectators.'],
    de: ['Hardcore', 'Wer stirbt, wird zum Zuschauer.'],
    zh: ['极限模式', '玩家死亡后变为旁观者。'],
  },
  pvp: {
    group: 'game',
    en: ['Player versus player (PvP)', 'Players can hurt each other.'],
    de: ['Spieler gegen Spieler (PvP)', 'Spieler können einander verletzen.'],
    zh: ['玩家对战（PvP）', '玩家可以互相伤害。'],
  },
  'allow-flight': {
    group: 'game',
    en: ['Allow flight', 'Players who fly with a mod are not kicked.'],
    de: ['Fliegen erlauben', 'Spieler, die mit einem Mod fliegen, werden nicht gekickt.'],
    zh: ['允许飞行', '使用模组飞行的玩家不会被踢出。'],
  },
  'enable-command-block': {
    group: 'game',
    en: ['Command blocks', 'Blocks in the world can run commands.'],
    de: ['Befehlsblöcke', 'Blöcke in der Welt können Befehle ausführen.'],
    zh: ['命令方块', '世界中的方块可以执行命令。'],
  },
  'max-players': {
    group: 'players',
    en: ['Player limit', 'Maximum number of players online at the same time.'],
    de: ['Spielerlimit', 'So viele Spieler können gleichzeitig online sein.'],
    zh: ['最大玩家数', '同时在线玩家数的上限。'],
  },
  'white-list': {
    group: 'players',
    en: ['Whitelist only', 'Only players on the whitelist can join.'],
    de: ['Nur Whitelist', 'Nur Spieler auf der Whitelist können beitreten.'],
    zh: ['仅限白名单', '只有白名单上的玩家可以加入。'],
  },
  'enforce-whitelist': {
    group: 'players',
    en: ['Enforce whitelist', 'Kicks players as soon as they are removed from the whitelist.'],
    de: ['Whitelist durchsetzen', 'Kickt Spieler, sobald sie von der Whitelist entfernt werden.'],
    zh: ['强制执行白名单', '玩家被移出白名单后立即踢出。'],
  },
  'online-mode': {
    group: 'players',
    en: [
      'Verify accounts',
      'Checks accounts with Mojang. Turn this off only behind a proxy that does: otherwise anyone can join under any name.',
    ],
    de: [
      'Konten überprüfen',
      'Prüft Konten bei Mojang. Nur hinter einem Proxy ausschalten, der das tut: Sonst kann jeder unter jedem Namen beitreten.',
    ],
    zh: ['正版验证', '通过 Mojang 验证账户。仅在前置代理负责验证时才可关闭，否则任何人都可以用任意名称加入。'],
  },
  'player-idle-timeout': {
    group: 'players',
    en: ['Kick idle players after', 'Minutes. 0: never.'],
    de: ['Untätige Spieler kicken nach', 'Minuten. 0: nie.'],
    zh: ['踢出闲置玩家', '闲置的分钟数。0：从不。'],
  },
  'op-permission-level': {
    group: 'players',
    en: [
      'Operator permissions',
      '1: build at the spawn. 2: also use cheats. 3: also kick and ban. 4: also stop the server.',
    ],
    de: [
      'Rechte der Operatoren',
      '1: am Spawn bauen. 2: auch Cheats nutzen. 3: auch kicken und sperren. 4: auch den Server stoppen.',
    ],
    zh: ['OP 权限等级', '1：在出生点建造。2：还可使用作弊命令。3：还可踢出和封禁。4：还可停止服务器。'],
  },
  'level-name': {
    group: 'world',
    en: ['World folder', 'A new name creates a new world. The old one stays in its folder.'],
    de: ['Ordner der Welt', 'Ein neuer Name erzeugt eine neue Welt. Die alte bleibt in ihrem Ordner.'],
    zh: ['世界文件夹', '使用新名称会创建新世界，旧世界保留在原文件夹中。'],
  },
  'level-seed': {
    group: 'world',
    en: ['Seed', 'Determines how a new world is generated. Empty: random.'],
    de: ['Startwert (Seed)', 'Bestimmt, wie eine neue Welt erzeugt wird. Leer: zufällig.'],
    zh: ['种子', '决定新世界的生成方式。留空：随机。'],
  },
  'view-distance': {
    group: 'world',
    en: ['View distance', 'Chunks that players can see in each direction. Larger values need more memory and CPU.'],
    de: [
      'Sichtweite',
      'Chunks, die Spieler in jede Richtung sehen. Größere Werte brauchen mehr Arbeitsspeicher und CPU.',
    ],
    zh: ['视距', '玩家在每个方向可见的区块数。数值越大，占用的内存和 CPU 越多。'],
  },
  'simulation-distance': {
    group: 'world',
    en: ['Simulation distance', 'Chunks around players in which plants grow and creatures move.'],
    de: ['Simulationsweite', 'Chunks um Spieler, in denen Pflanzen wachsen und sich Lebewesen bewegen.'],
    zh: ['模拟距离', '玩家周围植物会生长、生物会活动的区块数。'],
  },
  'spawn-protection': {
    group: 'world',
    en: ['Spawn protection', 'Blocks around the spawn that only operators can change.'],
    de: ['Spawn-Schutz', 'Blöcke um den Spawn, die nur Operatoren ändern können.'],
    zh: ['出生点保护', '出生点周围只有 OP 可以修改的方块范围。'],
  },
  'allow-nether': {
    group: 'world',
    en: ['Nether', 'Players can enter the Nether through portals.'],
    de: ['Nether', 'Spieler können den Nether durch Portale betreten.'],
    zh: ['下界', '玩家可以通过传送门进入下界。'],
  },
  'generate-structures': {
    group: 'world',
    en: ['Villages and other structures', 'Affects only parts of the world that do not exist yet.'],
    de: ['Dörfer und andere Bauwerke', 'Betrifft nur Teile der Welt, die es noch nicht gibt.'],
    zh: ['生成村庄等建筑', '仅影响尚未生成的区域。'],
  },
  'server-port': {
    group: 'network',
    en: ['Port', 'Change it on the Settings tab.'],
    de: ['Port', 'Ändern Sie ihn unter „Einstellungen“.'],
    zh: ['端口', '请在“设置”标签页中更改。'],
  },
  'server-ip': {
    group: 'network',
    en: ['Listen address', 'Empty: all addresses of this machine. 127.0.0.1: only this machine.'],
    de: ['Adresse', 'Leer: alle Adressen dieses Rechners. 127.0.0.1: nur dieser Rechner.'],
    zh: ['监听地址', '留空：本机的所有地址。127.0.0.1：仅限本机。'],
  },
  'enable-status': {
    group: 'network',
    en: ['Show in server lists', 'Off: the server appears offline in server lists.'],
    de: ['In Serverlisten anzeigen', 'Aus: Der Server erscheint in Serverlisten als offline.'],
    zh: ['在服务器列表中显示', '关闭后，服务器在列表中显示为离线。'],
  },
  'hide-online-players': {
    group: 'network',
    en: ['Hide online players', 'Server lists show only the number of players.'],
    de: ['Online-Spieler verbergen', 'Serverlisten zeigen nur die Anzahl der Spieler.'],
    zh: ['隐藏在线玩家', '服务器列表只显示玩家数。'],
  },
  'enable-rcon': {
    group: 'network',
    en: ['RCON', 'Gamekeeper controls the server with it, and configures it automatically.'],
    de: ['RCON', 'Damit steuert Gamekeeper den Server. Wird automatisch eingerichtet.'],
    zh: ['RCON', 'Gamekeeper 通过它控制服务器，并自动配置。'],
  },
  'rcon.port': {
    group: 'network',
    en: ['RCON port', 'Gamekeeper chooses a free port.'],
    de: ['RCON-Port', 'Gamekeeper wählt einen freien Port.'],
    zh: ['RCON 端口', '由 Gamekeeper 选择空闲端口。'],
  },
  'rcon.password': {
    group: 'network',
    en: ['RCON password', 'Set by Gamekeeper and never shown.'],
    de: ['RCON-Passwort', 'Wird von Gamekeeper gesetzt und nie angezeigt.'],
    zh: ['RCON 密码', '由 Gamekeeper 设置，从不显示。'],
  },
};
