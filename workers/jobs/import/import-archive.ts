import { lstat, readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Imported } from '../../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { withRealParent } from '../../../shared/node/files/real-parent.ts';
import type { Recognition } from '../../../shared/schema/import.ts';
import { WORLD_NAME } from '../../pool/task-types.ts';
import { isDamage, whatIsDamaged } from '../backups/archive-damage.ts';
import { stagingFolder } from '../clone/new-instance-place.ts';
import { createFromPack, type PackOptions } from '../modpacks/create-from-pack.ts';
import { packFindings } from '../modpacks/pack-findings.ts';
import { isPackName, readPack } from '../modpacks/pack-index.ts';
import { machineMemory } from '../provisioning/machine-memory.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { removeConsent } from '../recognition/remove-consent.ts';
import { toCreateRequest, toRecord } from '../recognition/to-request.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';
import { type ArchiveOrder, lookAtUnpacked } from './look-at-unpacked.ts';
import { RECOGNISING_MS } from './recognise-in.ts';

export interface ImportOptions extends PackOptions {
  home: Home;
  pool: Pool;
  scratch: Scratch;
}

/** Returns the path of an existing archive. Throws `invalid_request`. */
export async function checkArchive(archive: string): Promise<string> {
  if (!path.isAbsolute(archive)) throw refused(`must be an absolute path (is: ${JSON.stringify(archive)})`);
  const stats = await stat(archive).catch((cause: unknown) => {
    throw refused(`${archive} does not exist`, cause);
  });
  if (!stats.isFile()) throw refused(`${archive} is not a file`);
  return archive;
}

/**
 * Unpacks a ZIP of any origin into a staging folder and turns that, or what the modpack in it asks for, into an instance in one step; a
 * failure leaves nothing behind. Refuses dangerous names, links and false sizes before anything is unpacked. Throws `invalid_request` with the
 * problem.
 */
export async function importArchive(
  order: ArchiveOrder & { id: string },
  run: JobRun,
  options: ImportOptions,
): Promise<Imported> {
  const { scratch, home } = options;
  const [unpacked, folder] = [stagingFolder(home), stagingFolder(home)];
  return scratch.use(unpacked, () =>
    scratch.use(folder, async () => {
      await unpack(order, unpacked, run, options);
      const content = await serverIn(unpacked);
      const pack = await readPack(content, order.downloads !== undefined);
      if (pack) return createFromPack({ downloads: undefined, ...order, pack, content, folder }, run, options);
      await rename(content, folder);
      return makeInstance(order, folder, run, options);
    }),
  );
}

/** Returns what an import would create. Unpacks only the files that are needed for that, so damage elsewhere goes unnoticed. */
export async function recogniseArchive(order: ArchiveOrder, options: ImportOptions): Promise<Recognition> {
  const { archive, shownAs } = order;
  const target = stagingFolder(options.home);
  const deadline = AbortSignal.timeout(RECOGNISING_MS);
  return options.scratch.use(target, async () => {
    const { folder } = await sayingWhat(shownAs, options.pool.run('peek', { archive, target }, deadline));
    const pack = await readPack(folder, isPackName(shownAs));
    if (pack) return packFindings(shownAs, pack, machineMemory()).recognition;
    return (await lookAtUnpacked(folder, order, options.pool)).recognition;
  });
}

async function unpack(
  { archive, shownAs }: ArchiveOrder,
  target: string,
  run: JobRun,
  { pool }: ImportOptions,
): Promise<void> {
  const { size } = await stat(archive);
  const [reading, unpacking] = [run.phase(size), run.phase(size)];
  const inspection = pool.run('inspect', { archive, progress: reading.progress.memory }, run.signal);
  const { sha256, sourceBytes } = await sayingWhat(shownAs, inspection);
  const progress = unpacking.progress.memory;
  const task = { archive, target: await withRealParent(target), sha256, sourceBytes, progress };
  await sayingWhat(shownAs, pool.run('extract', task, run.signal));
}

/** Turns `backup_damaged` into `invalid_request`: the damaged archive is the caller's, not a backup. */
async function sayingWhat<Result>(shownAs: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new GamekeeperError('invalid_request', `archive: ${shownAs} cannot be unpacked. ${whatIsDamaged(error)}`, {
      resolution: 'Use a ZIP file of a server, without links, whose file names are valid on every system.',
      cause: error,
    });
  }
}

/** Many ZIP files contain a single folder, which is the server. */
async function serverIn(folder: string): Promise<string> {
  const [only, ...others] = await readdir(folder);
  const inner = path.join(folder, only ?? '');
  const isWrapped = only !== undefined && others.length === 0 && (await lstat(inner)).isDirectory();
  return isWrapped && !WORLD_NAME.test(only) ? inner : folder;
}

async function makeInstance(
  order: ArchiveOrder & { id: string },
  folder: string,
  run: JobRun,
  { peers, pool, records }: ImportOptions,
): Promise<Imported> {
  const { found, known, recognition } = await lookAtUnpacked(folder, order, pool);
  const wanted = toCreateRequest(found, known);
  await removeConsent(folder);
  // The last moment to cancel: the rest takes milliseconds.
  run.signal.throwIfAborted();
  const request = { ...wanted, id: order.id, name: known.name };
  const config = await peers.daemon.createFromFolder({ request, folder });
  run.made(config.id);
  const record = toRecord(found, config);
  if (record) await records.write(config.id, record);
  return { id: config.id, recognised: recognition };
}

function refused(reason: string, cause?: unknown): GamekeeperError {
  return new GamekeeperError('invalid_request', `archive: ${reason}.`, cause === undefined ? {} : { cause });
}
