import { lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Imported } from '../../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { readServerFile } from '../../../shared/node/server-file.ts';
import { EXPORT_MANIFEST, type ExportManifest, exportManifest } from '../../../shared/schema/export.ts';
import type { ImportInstance } from '../../../shared/schema/import.ts';
import { isDamage } from '../backups/is-damage.ts';
import type { Scratch } from '../backups/scratch.ts';
import { stagingFolder } from '../clone/staging-folder.ts';
import type { JobRun } from '../job-entry.ts';
import type { Peers } from '../peers.ts';
import type { Pool } from '../pool.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { recogniseIn } from './recognise-in.ts';
import { type Recognised, toCreateRequest, toRecognition, toRecord } from './to-request.ts';

export interface ArchiveImportParts {
  /** The folder of the instances' folders. */
  instances: string;
  peers: Peers;
  pool: Pool;
  records: InstalledRecords;
  scratch: Scratch;
  randomHex(digits: number): string;
}

export interface ArchiveOrder {
  archive: string;
  request: ImportInstance & { id: string };
  /** What it is called if neither the request nor the archive says so. */
  name: string;
}

/** The path of an archive that is there. Throws `invalid_request`. */
export async function checkArchive(archive: string): Promise<string> {
  if (!path.isAbsolute(archive)) throw refused(`must be an absolute path (is: ${JSON.stringify(archive)})`);
  const stats = await stat(archive).catch((cause: unknown) => {
    throw refused(`${archive} does not exist`, cause);
  });
  if (!stats.isFile()) throw refused(`${archive} is not a file`);
  return archive;
}

/**
 * Unpacks a ZIP from anywhere beside the instances' folders and makes an instance of it, all at once: what fails leaves nothing. Names that
 * would do harm, links and lies about sizes are refused before anything is unpacked. Throws `invalid_request` saying what is wrong.
 */
export async function importArchive(order: ArchiveOrder, run: JobRun, parts: ArchiveImportParts): Promise<Imported> {
  const { scratch } = parts;
  const [unpacked, folder] = [stagingFolder(parts), stagingFolder(parts)];
  return scratch.use(unpacked, () =>
    scratch.use(folder, async () => {
      await unpack(order.archive, unpacked, run, parts);
      await rename(await serverIn(unpacked), folder);
      return makeInstance(order, folder, run, parts);
    }),
  );
}

async function unpack(archive: string, target: string, run: JobRun, { pool }: ArchiveImportParts): Promise<void> {
  const { size } = await stat(archive);
  const [reading, unpacking] = [run.phase(size), run.phase(size)];
  try {
    const inspected = await pool.run('inspect', { archive, progress: reading.progress.memory }, run.signal);
    const { sha256, sourceBytes } = inspected;
    const task = { archive, target, sha256, sourceBytes, progress: unpacking.progress.memory };
    await pool.run('extract', task, run.signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const why = error.message.replace(/^The backup is damaged\. /, '');
    throw new GamekeeperError('invalid_request', `archive: ${archive} cannot be unpacked. ${why}`, {
      resolution: 'Give a ZIP file of a server, without links in it, whose names any system allows.',
      cause: error,
    });
  }
}

/** Many a ZIP holds one folder, and that the server. */
async function serverIn(folder: string): Promise<string> {
  const [only, ...others] = await readdir(folder);
  const inner = path.join(folder, only ?? '');
  const isWrapped = only !== undefined && others.length === 0 && (await lstat(inner)).isDirectory();
  return isWrapped && !/^worlds?$/i.test(only) ? inner : folder;
}

async function makeInstance(
  { archive, request, name }: ArchiveOrder,
  folder: string,
  run: JobRun,
  { peers, pool, records }: ArchiveImportParts,
): Promise<Imported> {
  const manifest = await takeManifest(folder);
  const { archive: _, ...asked } = request;
  const settings = manifest && { ...manifest.settings, ...NOT_FOR_OTHERS_TO_SAY, software: manifest.software };
  const known = { name, ...settings, ...asked };
  const found = withoutConsent(toRecognition(archive, await recogniseIn(folder, pool), known), known);
  const wanted = toCreateRequest(found, known);
  // From here on it is a matter of milliseconds: no cancelling any more.
  run.signal.throwIfAborted();
  const config = await peers.daemon.createFromFolder({ request: { ...wanted, name: known.name ?? name }, folder });
  run.made(config.id);
  const record = toRecord(found, config);
  if (record) await records.write(config.id, record);
  return { id: config.id, recognised: found.recognition };
}

/** An archive may be anybody's: whoever imports it says themselves that it is to run, and that they accept a licence. */
const NOT_FOR_OTHERS_TO_SAY = { autoStart: false, autoResume: false, acceptEula: false } as const;

/** What the files say, but for what only the request decides. Throws `invalid_request` where that has to be given. */
function withoutConsent(
  found: Recognised,
  { software, launch }: Pick<ImportInstance, 'software' | 'launch'>,
): Recognised {
  const { acceptEula: _, launch: script, ...recognition } = found.recognition;
  if ((software ?? recognition.software?.value) === 'custom' && !launch)
    throw new GamekeeperError(
      'invalid_request',
      'launch: the command that starts a server of software "custom" is not taken from an archive.',
      {
        resolution: script
          ? `If you trust the archive, give "launch" as well: ${JSON.stringify({ command: script.value })}.`
          : 'Give "launch" as well, such as {"command": ["./server"]}.',
      },
    );
  return { ...found, recognition };
}

/** Reads the manifest of an export and takes it out of the folder, which is the server's. `undefined`: it is none, or none that we know. */
async function takeManifest(folder: string): Promise<ExportManifest | undefined> {
  const file = path.join(folder, EXPORT_MANIFEST);
  const content = await readServerFile(file);
  if (content === undefined) return undefined;
  await rm(file);
  try {
    return exportManifest.parse(JSON.parse(String(content)));
  } catch {
    // Of a later version, or somebody else's: the files still say what they are.
    return undefined;
  }
}

function refused(reason: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('invalid_request', `archive: ${reason}.`, cause === undefined ? {} : { cause });
}
