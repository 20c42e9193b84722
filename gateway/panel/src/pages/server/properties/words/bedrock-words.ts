import type { WordsByProperty } from './words-by-property.ts';

/** Properties that only Minecraft: Bedrock Edition has. */
export const bedrockWords: WordsByProperty = {
  'server-name': {
    group: 'game',
    en: ['Server name', 'Shown to players in their server list.'],
    de: ['Servername', 'Wird Spielern in ihrer Serverliste angezeigt.'],
    zh: ['服务器名称', '显示在玩家的服务器列表中。'],
  },
  'allow-cheats': {
    group: 'game',
    en: ['Cheats', 'Allows commands that count as cheats.'],
    de: ['Cheats', 'Erlaubt Befehle, die als Cheats gelten.'],
    zh: ['允许作弊', '允许使用作弊命令。'],
  },
  'allow-list': {
    group: 'players',
    en: ['Whitelist only', 'Only players in allowlist.json can join.'],
    de: ['Nur Whitelist', 'Nur Spieler in allowlist.json können beitreten.'],
    zh: ['仅限白名单', '只有 allowlist.json 中的玩家可以加入。'],
  },
  'default-player-permission-level': {
    group: 'players',
    en: ['Permissions of new players', 'Visitors can look around, members can build, operators can use commands.'],
    de: ['Rechte neuer Spieler', 'Besucher können sich umsehen, Mitglieder bauen, Operatoren Befehle nutzen.'],
    zh: ['新玩家的权限', '访客可以参观，成员可以建造，OP 可以使用命令。'],
  },
  'texturepack-required': {
    group: 'players',
    en: ['Require resource packs', "Players must use the world's resource packs."],
    de: ['Ressourcenpakete sind Pflicht', 'Spieler müssen die Ressourcenpakete der Welt verwenden.'],
    zh: ['强制使用资源包', '玩家必须使用世界的资源包。'],
  },
  'chat-restriction': {
    group: 'players',
    en: ['Chat', 'Enabled, not delivered to other players, or hidden.'],
    de: ['Chat', 'Aktiviert, anderen nicht zugestellt oder ausgeblendet.'],
    zh: ['聊天限制', '启用、不送达其他玩家，或隐藏。'],
  },
  'disable-custom-skins': {
    group: 'players',
    en: ['No custom skins', 'Players cannot use skins that they made themselves.'],
    de: ['Keine eigenen Skins', 'Spieler können keine selbst gemachten Skins verwenden.'],
    zh: ['禁用自定义皮肤', '玩家不能使用自制的皮肤。'],
  },
  'disable-persona': {
    group: 'players',
    en: ['No personas', 'For internal use by Mojang.'],
    de: ['Keine Personas', 'Für den internen Gebrauch von Mojang.'],
    zh: ['禁用角色形象', '仅供 Mojang 内部使用。'],
  },
  'disable-player-interaction': {
    group: 'players',
    en: ['No player interaction', "Asks players' devices to ignore other players."],
    de: ['Keine Interaktion', 'Fordert die Geräte der Spieler auf, andere Spieler zu ignorieren.'],
    zh: ['禁用玩家互动', '要求玩家的设备忽略其他玩家。'],
  },
  'disable-client-vibrant-visuals': {
    group: 'players',
    en: ['No Vibrant Visuals', 'Players cannot turn on Vibrant Visuals.'],
    de: ['Keine Vibrant Visuals', 'Spieler können Vibrant Visuals nicht einschalten.'],
    zh: ['禁用灵动视效', '玩家无法启用灵动视效。'],
  },
  'tick-distance': {
    group: 'world',
    en: ['Simulation distance', 'Chunks around players in which plants grow and creatures move.'],
    de: ['Simulationsweite', 'Chunks um Spieler, in denen Pflanzen wachsen und sich Lebewesen bewegen.'],
    zh: ['模拟距离', '玩家周围植物会生长、生物会活动的区块数。'],
  },
  'client-side-chunk-generation-enabled': {
    group: 'world',
    en: ['Client-side chunks', "Players' devices can generate distant chunks themselves."],
    de: ['Chunks auf Geräten erzeugen', 'Die Geräte der Spieler können ferne Chunks selbst erzeugen.'],
    zh: ['客户端区块生成', '玩家的设备可以自行生成远处的区块。'],
  },
  'server-build-radius-ratio': {
    group: 'world',
    en: ['Share of chunks from the server', "0.0 to 1.0; players' devices generate the rest. Disabled: automatic."],
    de: [
      'Anteil der Chunks vom Server',
      '0.0 bis 1.0; den Rest erzeugen die Geräte der Spieler. Disabled: automatisch.',
    ],
    zh: ['服务器生成区块的比例', '0.0 到 1.0，其余由玩家的设备生成。Disabled：自动。'],
  },
  'server-portv6': {
    group: 'network',
    en: ['IPv6 port', 'UDP port for players who connect over IPv6.'],
    de: ['IPv6-Port', 'UDP-Port für Spieler, die sich über IPv6 verbinden.'],
    zh: ['IPv6 端口', '玩家通过 IPv6 连接时使用的 UDP 端口。'],
  },
  'enable-lan-visibility': {
    group: 'network',
    en: [
      'Visible on the local network',
      'Also uses ports 19132 and 19133, so only one server per machine can be visible.',
    ],
    de: [
      'Im lokalen Netz sichtbar',
      'Belegt auch die Ports 19132 und 19133. Daher kann nur ein Server pro Rechner sichtbar sein.',
    ],
    zh: ['局域网可见', '会同时占用 19132 和 19133 端口，因此每台机器只能有一个服务器可见。'],
  },
  transport: {
    group: 'network',
    en: ['Transport', 'How players connect. Usually nethernet since 1.26.50, raknet before.'],
    de: ['Transport', 'Wie sich Spieler verbinden. Seit 1.26.50 meist nethernet, davor raknet.'],
    zh: ['传输方式', '玩家的连接方式。1.26.50 起通常为 nethernet，之前为 raknet。'],
  },
  'server-udp-ports': {
    group: 'network',
    en: ['Game ports', 'UDP ports for the nethernet transport, such as 19140-19159.'],
    de: ['Spielports', 'UDP-Ports für den Transport nethernet, etwa 19140-19159.'],
    zh: ['游戏端口', 'nethernet 传输使用的 UDP 端口，例如 19140-19159。'],
  },
  'compression-threshold': {
    group: 'network',
    en: ['Compress packets from', 'Size in bytes. 0: none.'],
    de: ['Pakete komprimieren ab', 'Größe in Bytes. 0: keine.'],
    zh: ['数据包压缩阈值', '达到该字节数时压缩。0：不压缩。'],
  },
  'compression-algorithm': {
    group: 'network',
    en: ['Compression', 'zlib makes packets smaller, snappy is faster.'],
    de: ['Komprimierung', 'zlib macht Pakete kleiner, snappy ist schneller.'],
    zh: ['压缩算法', 'zlib 压缩率更高，snappy 速度更快。'],
  },
  'max-threads': {
    group: 'other',
    en: ['Threads', 'Maximum number of threads. 0: as many as possible.'],
    de: ['Threads', 'Höchstzahl an Threads. 0: so viele wie möglich.'],
    zh: ['最大线程数', '线程数的上限。0：尽可能多。'],
  },
  'player-position-acceptance-threshold': {
    group: 'other',
    en: ['Position tolerance', "Blocks by which a player's position may be off before the server corrects it."],
    de: [
      'Positionstoleranz',
      'Blöcke, um die die Position eines Spielers abweichen darf, bevor der Server sie korrigiert.',
    ],
    zh: ['位置容差', '玩家位置偏差超过该方块数时，服务器会纠正。'],
  },
  'player-movement-action-direction-threshold': {
    group: 'other',
    en: [
      'Direction tolerance',
      'How far an attack may be from where the player looks. 1: not at all, 0: up to 90 degrees.',
    ],
    de: [
      'Richtungstoleranz',
      'Wie weit ein Angriff von der Blickrichtung abweichen darf. 1: gar nicht, 0: bis 90 Grad.',
    ],
    zh: ['方向容差', '攻击方向与视线方向允许的偏差。1：不允许，0：最多 90 度。'],
  },
  'server-authoritative-movement-strict': {
    group: 'other',
    en: ['Strict movement', 'The server decides where players are, even on a bad connection.'],
    de: ['Strenge Bewegung', 'Der Server bestimmt, wo Spieler sind, auch bei schlechter Verbindung.'],
    zh: ['严格移动校验', '即使网络不佳，也由服务器决定玩家的位置。'],
  },
  'server-authoritative-dismount-strict': {
    group: 'other',
    en: ['Strict dismounting', 'The server decides where riders get off.'],
    de: ['Strenges Absteigen', 'Der Server bestimmt, wo Reiter absteigen.'],
    zh: ['严格下骑校验', '由服务器决定骑乘者下来的位置。'],
  },
  'server-authoritative-entity-interactions-strict': {
    group: 'other',
    en: ['Strict interaction', 'The server decides whether players can reach an entity.'],
    de: ['Strenge Interaktion', 'Der Server bestimmt, ob Spieler ein Objekt erreichen.'],
    zh: ['严格实体交互校验', '由服务器决定玩家能否触及实体。'],
  },
  'server-authoritative-block-breaking': {
    group: 'other',
    en: ['Strict mining', 'The server decides whether players can break a block.'],
    de: ['Strenges Abbauen', 'Der Server bestimmt, ob Spieler einen Block abbauen können.'],
    zh: ['严格挖掘校验', '由服务器决定玩家能否破坏方块。'],
  },
  'server-authoritative-block-breaking-pick-range-scalar': {
    group: 'other',
    en: ['Mining reach', 'Factor by which players can reach farther with strict mining.'],
    de: ['Reichweite beim Abbauen', 'Faktor, um den Spieler bei strengem Abbauen weiter reichen.'],
    zh: ['挖掘距离倍数', '启用严格挖掘校验时，玩家可及距离的倍数。'],
  },
  'block-network-ids-are-hashes': {
    group: 'other',
    en: ['Hashed block IDs', 'Block IDs stay the same when blocks are added.'],
    de: ['Block-IDs als Hash', 'Block-IDs bleiben gleich, wenn Blöcke hinzukommen.'],
    zh: ['方块 ID 使用哈希', '新增方块时，已有方块的 ID 保持不变。'],
  },
  'content-log-console-output-enabled': {
    group: 'other',
    en: ['Pack errors in the console', 'Shows errors in packs in the console.'],
    de: ['Paketfehler in der Konsole', 'Zeigt Fehler in Paketen in der Konsole.'],
    zh: ['控制台显示包错误', '在控制台中显示资源包和行为包的错误。'],
  },
  'content-log-file-enabled': {
    group: 'other',
    en: ['Pack errors in a file', 'Writes errors in packs to a file.'],
    de: ['Paketfehler in einer Datei', 'Schreibt Fehler in Paketen in eine Datei.'],
    zh: ['包错误写入文件', '将资源包和行为包的错误写入文件。'],
  },
  'content-log-level': {
    group: 'other',
    en: ['Pack log level', 'Which messages about packs are logged.'],
    de: ['Log-Level für Pakete', 'Welche Meldungen über Pakete protokolliert werden.'],
    zh: ['包日志级别', '记录哪些有关包的信息。'],
  },
  'allow-inbound-script-debugging': {
    group: 'other',
    en: ['Let a debugger connect', 'A script debugger can connect to the server.'],
    de: ['Verbindung vom Debugger erlauben', 'Ein Skript-Debugger kann sich mit dem Server verbinden.'],
    zh: ['允许调试器接入', '脚本调试器可以连接到服务器。'],
  },
  'allow-outbound-script-debugging': {
    group: 'other',
    en: ['Connect to a debugger', 'The server can connect to a script debugger.'],
    de: ['Verbindung zum Debugger erlauben', 'Der Server kann sich mit einem Skript-Debugger verbinden.'],
    zh: ['允许连接调试器', '服务器可以主动连接脚本调试器。'],
  },
  'script-debugger-auto-attach': {
    group: 'other',
    en: ['Attach a debugger at start', 'Whether the server attaches a script debugger when it starts.'],
    de: ['Debugger beim Start verbinden', 'Ob sich der Server beim Start mit einem Skript-Debugger verbindet.'],
    zh: ['启动时附加调试器', '服务器启动时是否附加脚本调试器。'],
  },
  'script-debugger-passcode': {
    group: 'other',
    en: ['Debugger passcode', 'A script debugger needs it to connect.'],
    de: ['Passcode für Debugger', 'Ein Skript-Debugger braucht ihn zum Verbinden.'],
    zh: ['调试器口令', '脚本调试器连接时需要的口令。'],
  },
  'emit-server-telemetry': {
    group: 'other',
    en: ['Send statistics', 'Sends usage statistics to Mojang.'],
    de: ['Statistik senden', 'Sendet Nutzungsstatistiken an Mojang.'],
    zh: ['发送统计数据', '向 Mojang 发送使用统计数据。'],
  },
};
