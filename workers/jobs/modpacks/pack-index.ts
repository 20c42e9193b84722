import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { filePathProblem } from '../../../shared/domain/files/file-path.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import { PACK_INDEX, PACK_INDEX_BYTES } from '../../pool/task-types.ts';
import { nameKey } from '../mods/folder/jar-name.ts';

/** The largest modpacks have some thousand files and a few gigabytes. */
const MOST_FILES = 10_000;
const MOST_BYTES = 16 * 1024 ** 3;

/** Kinds of software by the name of their loader, in the order of preference. */
const LOADERS = {
  'fabric-loader': 'fabric',
  'quilt-loader': 'quilt',
  neoforge: 'neoforge',
  forge: 'forge',
} as const;

export interface PackFile {
  /** Relative to the server's folder, with `/`, and valid on every system. */
  path: string;
  /** Hex. */
  sha512: string;
  bytes: number;
  /** Addresses of the same content, at least one. */
  urls: string[];
}

/** What a modpack needs on a server. */
export interface Pack {
  /** A kind of software. */
  software: string;
  /** Version of Minecraft. */
  version: string;
  /** Version of the mod loader; absent without one. */
  build?: string;
  files: PackFile[];
  /** How many files are only for players. */
  forPlayers: number;
}

const versionNumber = z.string().regex(/^[0-9A-Za-z][\w.+-]{0,63}$/);
/** "Modrinth Modpack Format (.mrpack)", support.modrinth.com/en/articles/8802351. */
const packIndex = z.object({
  formatVersion: z.literal(1),
  game: z.literal('minecraft'),
  files: z
    .array(
      z.object({
        path: z.string().min(1),
        hashes: z.object({
          sha512: z
            .string()
            .regex(/^[0-9a-f]{128}$/i)
            .toLowerCase(),
        }),
        env: z.object({ server: z.string().optional() }).nullish(),
        downloads: z.array(z.url()).min(1),
        fileSize: z.int().min(0),
      }),
    )
    .max(MOST_FILES),
  dependencies: z.object({
    minecraft: versionNumber,
    'fabric-loader': versionNumber.optional(),
    'quilt-loader': versionNumber.optional(),
    neoforge: versionNumber.optional(),
    forge: versionNumber.optional(),
  }),
});

/** What can be at the top of a modpack. A server that was made with one has more. */
const TOP_NAMES = [PACK_INDEX, 'overrides', 'client-overrides', 'server-overrides'];

/** Returns true for the file name of a modpack. */
export function isPackName(file: string): boolean {
  return /\.mrpack$/i.test(file);
}

/**
 * Returns the modpack that was unpacked into a folder, or `undefined` if it holds something else. `isRequired`: it must be a modpack. Throws
 * like `toPack`.
 */
export async function readPack(folder: string, isRequired: boolean): Promise<Pack | undefined> {
  const names = await readdir(folder);
  const hasIndex = names.includes(PACK_INDEX);
  if (isRequired && !hasIndex) throw unusablePack(`it has no ${PACK_INDEX}`);
  const isPack = isRequired || (hasIndex && names.every((name) => TOP_NAMES.includes(name)));
  return isPack ? toPack(await readIndex(folder)) : undefined;
}

async function readIndex(folder: string): Promise<string> {
  try {
    return String(await readServerFile(path.join(folder, PACK_INDEX), { largestBytes: PACK_INDEX_BYTES }));
  } catch (error) {
    if (!isGamekeeperError(error, 'invalid_state')) throw error;
    throw unusablePack(`its ${PACK_INDEX} is not a file, or larger than ${PACK_INDEX_BYTES / 1024 ** 2} MiB`, error);
  }
}

/**
 * Returns what an index asks for on a server. It is a stranger's: throws `invalid_request` for paths that lead out of the folder or to the
 * same file, and for sizes that no modpack has. Pure.
 */
export function toPack(text: string): Pack {
  const parsed = packIndex.safeParse(jsonOrUndefined(text));
  const [issue] = parsed.error?.issues ?? [];
  if (issue) throw unusablePack(`${[PACK_INDEX, ...issue.path].join('.')}: ${issue.message}`);
  const { files, dependencies } = parsed.data!;
  const wanted = files.filter(({ env }) => env?.server !== 'unsupported');
  requireApart(wanted.map((file) => file.path));
  if (wanted.reduce((sum, { fileSize }) => sum + fileSize, 0) > MOST_BYTES)
    throw unusablePack(`its files have more than ${MOST_BYTES / 1024 ** 3} GiB`);
  const loader = Object.keys(LOADERS).find((name) => name in dependencies) as keyof typeof LOADERS | undefined;
  const build = loader && dependencies[loader];
  return {
    software: loader ? LOADERS[loader] : 'vanilla',
    version: dependencies.minecraft,
    ...(build !== undefined && { build }),
    files: wanted.map((file) => ({
      path: file.path,
      sha512: file.hashes.sha512,
      bytes: file.fileSize,
      urls: file.downloads,
    })),
    forPlayers: files.length - wanted.length,
  };
}

/** Throws for a path that leads elsewhere, and for two that are the same file on some system. */
function requireApart(paths: readonly string[]): void {
  const taken = new Set<string>();
  for (const one of paths) {
    // What Windows does not allow includes drives and backslashes.
    const problem = filePathProblem(one, 'win32');
    if (problem !== undefined) throw unusablePack(`the path ${JSON.stringify(one.slice(0, 200))} ${problem}`);
    if (taken.has(nameKey(one))) throw unusablePack(`it contains ${JSON.stringify(one)} twice`);
    taken.add(nameKey(one));
  }
}

/** `why` continues a sentence. */
export function unusablePack(why: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('invalid_request', `The modpack cannot be used: ${why}.`, {
    resolution: 'Choose another version of the modpack, or ask its author to correct it.',
    ...(cause !== undefined && { cause }),
  });
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
