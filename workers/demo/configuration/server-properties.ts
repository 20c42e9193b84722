import { readFile, writeFile } from 'node:fs/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { escapeValue, parseProperties } from './properties-format.ts';

/** The part of `server.properties` that the demo server uses. */
export interface ServerProperties {
  readonly serverIp: string;
  readonly serverPort: number;
  readonly enableRcon: boolean;
  readonly rconPort: number;
  readonly rconPassword: string;
  readonly levelName: string;
  readonly levelSeed: string;
  readonly maxPlayers: number;
  readonly motd: string;
  readonly enableStatus: boolean;
  readonly hideOnlinePlayers: boolean;
  readonly whiteList: boolean;
  readonly difficulty: string;
  readonly gameMode: string;
  readonly onlineMode: boolean;
  readonly managementEnabled: boolean;
  readonly managementHost: string;
  readonly managementPort: number;
  readonly managementSecret: string;
  readonly managementTls: boolean;
  readonly managementKeystore: string;
  readonly managementKeystorePassword: string;
  /** The whole file as it was read at the start, with what was stored since. */
  readonly entries: Map<string, string>;
}

const DEFAULTS = {
  difficulty: 'easy',
  'enable-rcon': 'false',
  'enable-status': 'true',
  gamemode: 'survival',
  'hide-online-players': 'false',
  'level-name': 'world',
  'level-seed': '',
  'max-players': '20',
  motd: 'A Minecraft Server',
  'online-mode': 'false',
  'player-idle-timeout': '0',
  'rcon.password': '',
  'rcon.port': '25575',
  // Unlike vanilla, because a demo needs no access from the network.
  'server-ip': '127.0.0.1',
  'server-port': '25565',
  'white-list': 'false',
} as const;
/** Introduced after the version that the demo server claims to be, so not written into a new file. */
const MANAGEMENT_DEFAULTS = {
  'management-server-enabled': 'false',
  'management-server-host': 'localhost',
  'management-server-port': '0',
  'management-server-secret': '',
  'management-server-tls-enabled': 'true',
  'management-server-tls-keystore': '',
  'management-server-tls-keystore-password': '',
} as const;
export type Key = keyof typeof DEFAULTS | keyof typeof MANAGEMENT_DEFAULTS;

/** Reads the file. Creates a missing one with (almost) vanilla's defaults. An invalid value counts as its default. */
export async function loadServerProperties(file: string, now: Date): Promise<ServerProperties> {
  const entries = parseProperties(await readOrCreate(file, now));
  const text = (key: Key): string => entries.get(key) ?? { ...DEFAULTS, ...MANAGEMENT_DEFAULTS }[key];
  const flag = (key: Key): boolean => text(key).trim().toLowerCase() === 'true';
  const port = (key: Key): number =>
    wholeNumber(text(key), 65_535) ?? Number({ ...DEFAULTS, ...MANAGEMENT_DEFAULTS }[key]);
  return {
    serverIp: text('server-ip').trim(),
    serverPort: port('server-port'),
    enableRcon: flag('enable-rcon'),
    rconPort: port('rcon.port'),
    rconPassword: text('rcon.password'),
    levelName: text('level-name').trim() || DEFAULTS['level-name'],
    levelSeed: text('level-seed').trim(),
    maxPlayers: wholeNumber(text('max-players'), 1_000_000) ?? Number(DEFAULTS['max-players']),
    motd: text('motd'),
    enableStatus: flag('enable-status'),
    hideOnlinePlayers: flag('hide-online-players'),
    whiteList: flag('white-list'),
    difficulty: text('difficulty').trim(),
    gameMode: text('gamemode').trim(),
    onlineMode: flag('online-mode'),
    managementEnabled: flag('management-server-enabled'),
    managementHost: text('management-server-host').trim(),
    managementPort: port('management-server-port'),
    managementSecret: text('management-server-secret').trim(),
    managementTls: flag('management-server-tls-enabled'),
    managementKeystore: text('management-server-tls-keystore').trim(),
    managementKeystorePassword: text('management-server-tls-keystore-password'),
    entries,
  };
}

/** Stores a value, and with it, as vanilla does, all others as they were read at the start: changes of the file since then are lost. */
export async function storeServerProperty(
  file: string,
  { entries }: Pick<ServerProperties, 'entries'>,
  { key, value, now }: { key: Key; value: string; now: Date },
): Promise<void> {
  entries.set(key, value);
  await writeFile(file, fileText(entries, now));
}

async function readOrCreate(file: string, now: Date): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  const text = fileText(Object.entries(DEFAULTS), now);
  await writeFile(file, text);
  return text;
}

function fileText(entries: Iterable<readonly [string, string]>, now: Date): string {
  const lines = Array.from(entries, ([key, value]) => `${key.replace(/[=:\s\\#!]/g, '\\$&')}=${escapeValue(value)}`);
  return `#Minecraft server properties\n#${now.toString()}\n${lines.join('\n')}\n`;
}

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text.trim());
  return /^\d+$/.test(text.trim()) && value <= most ? value : undefined;
}
