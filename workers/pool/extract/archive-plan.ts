import type { Entry } from 'yauzl';
import { getFileNameLowLevel } from 'yauzl';
import type { Owner } from '../../../shared/node/files/owner.ts';
import { ownerIn } from '../archive/owner-field.ts';
import { damaged } from './damaged.ts';
import { type NameRules, nameKey, nameProblem } from './entry-name.ts';

/** An entry that passed all checks that do not need its content. */
export interface PlannedEntry {
  kind: 'file' | 'directory' | 'link';
  /** Relative path with `/`, without a trailing one. */
  name: string;
  /** Permission bits; `undefined` if the archive does not say. */
  mode: number | undefined;
  modified: Date;
  /** `undefined` if the archive does not say. */
  owner: Owner | undefined;
  entry: Entry;
}

export interface PlanRules extends NameRules {
  /** Links are only allowed in archives whose hash is the catalogue's. */
  links: 'allowed' | 'refused';
  maxBytes: number;
  /** Each takes memory while the archive is read. */
  maxEntries: number;
  archiveBytes: number;
}

/** Info-ZIP on Unix puts type and permissions into the upper half of the external attributes. */
const MADE_BY_UNIX = 3;
const TYPE_MASK = 0o170000;
const LINK = 0o120000;
const FILE = 0o100000;
const DIRECTORY = 0o040000;
/** The limit of Deflate (zlib, "Maximum Compression Factor"). */
const MAX_RATIO = 1032;
/** For smaller files the ratio says nothing. */
const MIN_RATIO_BYTES = 64 * 1024;
/** PATH_MAX of Linux: the longest target of a link. */
const MAX_LINK_BYTES = 4096;

/**
 * Checks the central directory of an archive as a whole, before anything is written. Throws `backup_damaged` for names that would leave the
 * folder or collide, unknown kinds of entries, impossible sizes, and entries that share their bytes (a zip bomb, see Fifield, "A better zip
 * bomb").
 */
export function plan(entries: Iterable<Entry>, rules: PlanRules): PlannedEntry[] {
  const planned = new Map<string, PlannedEntry>();
  let bytes = 0;
  let packed = 0;
  for (const entry of entries) {
    const next = planEntry(entry, rules);
    const key = nameKey(next.name, rules);
    if (planned.has(key)) throw damaged(`It contains "${next.name}" twice.`);
    planned.set(key, next);
    if (next.kind === 'file') bytes += entry.uncompressedSize;
    packed += entry.compressedSize;
    if (bytes > rules.maxBytes) throw damaged('It contains more data than recorded.');
    if (packed > rules.archiveBytes) throw damaged('Its entries overlap.');
  }
  for (const { name } of planned.values()) {
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
      const parent = planned.get(nameKey(name.slice(0, slash), rules));
      if (parent && parent.kind !== 'directory')
        throw damaged(`"${parent.name}" is not a folder, but has entries in it.`);
    }
  }
  return [...planned.values()];
}

/** Checks one entry by itself. Throws `backup_damaged`. */
export function planEntry(entry: Entry, rules: Pick<PlanRules, keyof NameRules | 'links'>): PlannedEntry {
  // `./` is how archiver is kept from mistaking a name such as `a:b` for a drive (zip-writer.ts).
  const raw = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  const name = raw.replace(/^\.\//, '');
  const problem = nameProblem(name, rules);
  if (problem) throw damaged(`The name ${JSON.stringify(name.slice(0, 200))} ${problem}.`);
  if (!entry.canDecodeFileData()) throw damaged(`"${name}" is encrypted, or compressed by an unsupported method.`);

  const kind = kindOf(entry, name);
  if (kind === 'link' && rules.links === 'refused') throw damaged(`"${name}" is a link.`);
  if (kind === 'link' && entry.uncompressedSize > MAX_LINK_BYTES) throw damaged(`The link "${name}" is too long.`);
  if (kind === 'directory' && entry.uncompressedSize > 0)
    throw damaged(`The folder "${name}" has content, which folders cannot have.`);
  const { compressedSize, uncompressedSize } = entry;
  if (entry.compressionMethod === 0 && compressedSize !== uncompressedSize)
    throw damaged(`The size of "${name}" is wrong.`);
  if (uncompressedSize > MIN_RATIO_BYTES && uncompressedSize > compressedSize * MAX_RATIO)
    throw damaged(`The size of "${name}" cannot be true.`);
  return {
    kind,
    name: name.replace(/\/$/, ''),
    mode: modeOf(entry, kind),
    owner: ownerIn(entry.extraFields),
    modified: entry.getLastModDate({ timezone: 'UTC' }),
    entry,
  };
}

function kindOf(entry: Entry, name: string): PlannedEntry['kind'] {
  const type = madeByUnix(entry) ? (entry.externalFileAttributes >>> 16) & TYPE_MASK : 0;
  const isFolderName = name.endsWith('/');
  if (type === LINK && !isFolderName) return 'link';
  if (isFolderName && (type === DIRECTORY || type === 0)) return 'directory';
  if (!isFolderName && (type === FILE || type === 0)) return 'file';
  throw damaged(`"${name}" is neither a file, a folder nor a link.`);
}

/** Some programs, such as the Modrinth App, say that they are on Unix, but neither type nor permissions. */
function modeOf(entry: Entry, kind: PlannedEntry['kind']): number | undefined {
  const attributes = entry.externalFileAttributes >>> 16;
  if (!madeByUnix(entry) || attributes === 0) return undefined;
  return attributes & (kind === 'directory' ? 0o3777 : 0o777);
}

function madeByUnix(entry: Entry): boolean {
  return entry.versionMadeBy >>> 8 === MADE_BY_UNIX;
}
