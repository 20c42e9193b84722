import type { Schemas } from '../../api/transport/client.ts';
import { section, useWords } from '../../text/section.ts';

const kindText = section({
  en: {
    vanilla: 'Minecraft: Java Edition as Mojang makes it.',
    paper: 'Minecraft: Java Edition, faster, with plugins.',
    folia: 'Paper for very many players, on several threads.',
    purpur: 'Paper with many more settings.',
    fabric: 'Minecraft: Java Edition with light mods.',
    quilt: 'Minecraft: Java Edition with mods for Quilt and Fabric.',
    forge: 'Minecraft: Java Edition with large mods and modpacks.',
    neoforge: 'The successor of Forge, for modpacks of today.',
    velocity: 'Joins several Minecraft servers under one address.',
    bedrock: 'Minecraft: Bedrock Edition, for phones, consoles and Windows.',
    luanti: 'Worlds of blocks with many games to choose from.',
    openttd: 'Build railways and a transport company together.',
    openarena: 'A fast shooter.',
    teeworlds: 'A cheerful shooter in two dimensions.',
    freeciv: 'Lead a people through history, turn by turn.',
    custom: 'Any program of your own.',
    demo: 'Included with Gamekeeper, for trying things out. No download.',
    javaEdition: 'Minecraft: Java Edition',
    bedrockEdition: 'Minecraft: Bedrock Edition',
    otherGame: 'Another game.',
  },
  de: {
    vanilla: 'Minecraft: Java Edition, wie Mojang es liefert.',
    paper: 'Minecraft: Java Edition, schneller und mit Plugins.',
    folia: 'Paper für sehr viele Spieler, auf mehreren Threads.',
    purpur: 'Paper mit vielen weiteren Einstellungen.',
    fabric: 'Minecraft: Java Edition mit leichten Mods.',
    quilt: 'Minecraft: Java Edition mit Mods für Quilt und Fabric.',
    forge: 'Minecraft: Java Edition mit großen Mods und Modpacks.',
    neoforge: 'Der Nachfolger von Forge, für heutige Modpacks.',
    velocity: 'Verbindet mehrere Minecraft-Server unter einer Adresse.',
    bedrock: 'Minecraft: Bedrock Edition, für Handys, Konsolen und Windows.',
    luanti: 'Welten aus Blöcken mit vielen Spielen zur Auswahl.',
    openttd: 'Gemeinsam Eisenbahnen und ein Verkehrsunternehmen bauen.',
    openarena: 'Ein schneller Shooter.',
    teeworlds: 'Ein fröhlicher Shooter in zwei Dimensionen.',
    freeciv: 'Ein Volk Zug um Zug durch die Geschichte führen.',
    custom: 'Ein beliebiges eigenes Programm.',
    demo: 'In Gamekeeper enthalten, zum Ausprobieren. Kein Download.',
    javaEdition: 'Minecraft in der Java Edition',
    bedrockEdition: 'Minecraft in der Bedrock Edition',
    otherGame: 'Ein anderes Spiel.',
  },
  zh: {
    vanilla: 'Mojang 原版的 Minecraft Java 版。',
    paper: '更快的 Minecraft Java 版，支持插件。',
    folia: '面向大量玩家的多线程 Paper。',
    purpur: '设置更丰富的 Paper。',
    fabric: '带轻量模组的 Minecraft Java 版。',
    quilt: '支持 Quilt 和 Fabric 模组的 Minecraft Java 版。',
    forge: '支持大型模组和整合包的 Minecraft Java 版。',
    neoforge: 'Forge 的后继者，适合现今的整合包。',
    velocity: '用一个地址连接多个 Minecraft 服务器。',
    bedrock: 'Minecraft 基岩版，适用于手机、主机和 Windows。',
    luanti: '方块世界，可选择多种游戏。',
    openttd: '一起修建铁路，经营运输公司。',
    openarena: '快节奏的射击游戏。',
    teeworlds: '欢乐的二维射击游戏。',
    freeciv: '回合制，带领一个民族走过历史。',
    custom: '您自己的任何程序。',
    demo: 'Gamekeeper 自带，可用于试用，无需下载。',
    javaEdition: 'Minecraft Java 版',
    bedrockEdition: 'Minecraft 基岩版',
    otherGame: '其他游戏。',
  },
});

type Key = keyof typeof kindText.en;

/** Returns one line about a kind. */
export function useKindLine(): (software: Schemas['Software']) => string {
  const t = useWords(kindText);
  return ({ kind, own, command, listPing, edition }) => {
    if (!own && Object.hasOwn(kindText.en, kind)) return t(kind as Key);
    if (command) return t('custom');
    if (!listPing) return t('otherGame');
    return t(edition === 'bedrock' ? 'bedrockEdition' : 'javaEdition');
  };
}
