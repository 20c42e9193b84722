import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { World } from '../../../shared/schema/worlds.ts';
import { nbtFields } from './nbt-fields.ts';

/** Of the file, and of what is in it. With hundreds of mods, it has half of that. */
export const MOST_LEVEL_BYTES = 1024 * 1024;
const MOST_TEXT = 200;
const MILLISECONDS = 1_000;

export type Level = Pick<World, 'name' | 'version' | 'seed' | 'lastPlayedAt'>;

const unzip = promisify(gunzip);

const JAVA = {
  name: 'Data.LevelName',
  version: 'Data.Version.Name',
  seed: 'Data.WorldGenSettings.seed',
  formerSeed: 'Data.RandomSeed',
  lastPlayed: 'Data.LastPlayed',
} as const;
const BEDROCK = {
  name: 'LevelName',
  version: 'lastOpenedWithVersion',
  seed: 'RandomSeed',
  lastPlayed: 'LastPlayed',
} as const;
/** Of Bedrock Edition: a version, and the length of the rest. */
const BEDROCK_HEADER_BYTES = 8;

/**
 * Returns what a `level.dat` says, of Java or Bedrock Edition (https://minecraft.wiki/w/Java_Edition_level_format,
 * https://minecraft.wiki/w/Bedrock_Edition_level_format). What is not there is left out. Throws if it is not such a file.
 */
export async function readLevel(file: Buffer): Promise<Level> {
  const isZipped = file[0] === 0x1f && file[1] === 0x8b;
  const bytes = isZipped ? await unzip(file, { maxOutputLength: MOST_LEVEL_BYTES }) : file;
  return isBedrock(bytes) ? ofBedrock(bytes.subarray(BEDROCK_HEADER_BYTES)) : ofJava(bytes);
}

function isBedrock(bytes: Buffer): boolean {
  return bytes.length > BEDROCK_HEADER_BYTES && bytes.readUInt32LE(4) === bytes.length - BEDROCK_HEADER_BYTES;
}

function ofJava(bytes: Buffer): Level {
  const fields = nbtFields(bytes, new Set(Object.values(JAVA)), false);
  return present({
    name: textOf(fields.get(JAVA.name)),
    version: textOf(fields.get(JAVA.version)),
    seed: wholeOf(fields.get(JAVA.seed) ?? fields.get(JAVA.formerSeed)),
    lastPlayedAt: timeOf(fields.get(JAVA.lastPlayed), 1),
  });
}

function ofBedrock(bytes: Buffer): Level {
  const fields = nbtFields(bytes, new Set(Object.values(BEDROCK)), true);
  const version = fields.get(BEDROCK.version);
  return present({
    name: textOf(fields.get(BEDROCK.name)),
    version: Array.isArray(version) ? textOf(version.slice(0, 3).join('.')) : undefined,
    seed: wholeOf(fields.get(BEDROCK.seed)),
    lastPlayedAt: timeOf(fields.get(BEDROCK.lastPlayed), MILLISECONDS),
  });
}

/** One line: the name is the map maker's. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ').slice(0, MOST_TEXT);
}

function wholeOf(value: unknown): string | undefined {
  return typeof value === 'bigint' ? String(value) : undefined;
}

function timeOf(value: unknown, factor: number): string | undefined {
  if (typeof value !== 'bigint') return undefined;
  const time = new Date(Number(value) * factor);
  const isPlausible = !Number.isNaN(time.getTime()) && time.getTime() > 0 && time.getUTCFullYear() <= 9999;
  return isPlausible ? time.toISOString() : undefined;
}

function present(level: { [key in keyof Level]: string | undefined }): Level {
  return Object.fromEntries(Object.entries(level).filter(([, value]) => value !== undefined));
}
