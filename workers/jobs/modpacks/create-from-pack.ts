import { mkdir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Imported } from '../../../shared/contract/jobs.ts';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { versionSourceOf } from '../../../shared/domain/software/version-source.ts';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { ImportInstance } from '../../../shared/schema/import.ts';
import { type OwnSettings, writeOwnSettings } from '../clone/own-settings.ts';
import type { ModSources } from '../mods/fetch-mods.ts';
import { isJarName } from '../mods/folder/jar-name.ts';
import type { KnownMods } from '../mods/known-mods.ts';
import { askModrinth } from '../mods/modrinth/modrinth.ts';
import { recogniseMods } from '../mods/recognise-mods.ts';
import { machineMemory } from '../provisioning/machine-memory.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Phase } from '../queue/job-progress.ts';
import { removeConsent } from '../recognition/remove-consent.ts';
import { toCreateRequest } from '../recognition/to-request.ts';
import type { Peers } from '../resources/peers.ts';
import { randomHex } from '../resources/random-hex.ts';
import { toInstalled } from '../software/install-release.ts';
import type { Installed, InstalledRecords } from '../software/installed.ts';
import { mergeTree } from '../software/merge-tree.ts';
import { createSource } from '../software/sources/create-source.ts';
import { downloadPack, requireAllowedHosts } from './pack-downloads.ts';
import { packFindings } from './pack-findings.ts';
import { type Pack, unusablePack } from './pack-index.ts';
import { PACK_TARGET } from './pack-target.ts';

/** More than any modpack has, and few enough to be moved while everything else in this process waits. */
const MOST_OVERRIDES = 20_000;

export interface PackOptions {
  peers: Peers;
  records: InstalledRecords;
  sources: ModSources;
  /** Files that come from Modrinth. */
  known: KnownMods;
}

export interface PackOrder {
  pack: Pack;
  /** As in ArchiveOrder. */
  shownAs: string;
  /** Where the archive was unpacked, in the folder of all instances or one below. */
  content: string;
  /** The folder to create, which becomes the instance's, in the folder of all instances. */
  folder: string;
  request: ImportInstance;
  id: string;
  name: string;
  /** Stands for the downloads until they are announced. */
  downloads: Phase | undefined;
}

/**
 * Creates a server from an unpacked modpack: its files first, then its `overrides`, then its `server-overrides`, with the mod loader that it
 * names. The archive may be a stranger's, so ports and secrets in its files are replaced. Throws `invalid_request`, `vendor_unavailable` and
 * `insufficient_storage`.
 */
export async function createFromPack(order: PackOrder, run: JobRun, options: PackOptions): Promise<Imported> {
  const { pack, content, folder, shownAs } = order;
  const { peers, records, sources, known } = options;
  const vendors = await sources.vendors();
  requireAllowedHosts(pack, vendors.modrinth);
  await requireFewOverrides(content);
  const found = packFindings(shownAs, pack, machineMemory());
  const request = { ...toCreateRequest(found, order.request), id: order.id, name: order.name };
  const isAsPacked = request.software === pack.software && request.version === pack.version;
  const record = isAsPacked ? await loaderRecord(pack, { sources, signal: run.signal }) : undefined;

  const files = pack.files.map((file) => ({ file, phase: run.phase(file.bytes) }));
  order.downloads?.end();
  await mkdir(folder, { mode: 0o700 });
  await downloadPack(files, folder, { signal: run.signal, sources });
  await addOverrides(content, folder);
  await removeConsent(folder);
  await rememberMods(pack, { signal: run.signal, sources, known });

  const planned = await peers.daemon.planInstance(request);
  await replaceSettings(folder, {
    port: planned.port,
    rcon: planned.rcon ?? { port: planned.port + 10, password: randomHex(36) },
    managementSecret: randomHex(40),
  });
  // The last moment to cancel: the rest takes milliseconds.
  run.signal.throwIfAborted();
  // Before the instance exists, whose first start would install the newest loader.
  if (record) await records.write(order.id, record);
  try {
    const config = await peers.daemon.createFromFolder({ request: { ...request, port: planned.port }, folder });
    run.made(config.id);
    return { id: config.id, recognised: found.recognition };
  } catch (error) {
    if (record) await records.remove(order.id);
    throw error;
  }
}

interface Asking {
  sources: ModSources;
  signal: AbortSignal;
}

/** Returns the record with which the first start installs the loader that the modpack names. Throws `invalid_request` if there is none. */
async function loaderRecord(
  { software, version, build }: Pack,
  { sources, signal }: Asking,
): Promise<Installed | undefined> {
  const source = versionSourceOf(softwareOf(software)!);
  if (!source || build === undefined) return undefined;
  const context = { vendors: await sources.vendors(), cache: sources.manifests, signal };
  try {
    return toInstalled(software, await createSource(source, context).find(version, build), undefined);
  } catch (error) {
    if (!isGamekeeperError(error, 'version_not_found')) throw error;
    throw unusablePack(error.message.replace(/\.$/, ''), error);
  }
}

/** `writeOwnSettings` for a modpack's settings, which nobody can correct. */
async function replaceSettings(folder: string, own: OwnSettings): Promise<void> {
  try {
    await writeOwnSettings(folder, own);
  } catch (error) {
    if (!isGamekeeperError(error, 'invalid_state')) throw error;
    throw unusablePack('its server.properties cannot be read', error);
  }
}

/** Returns the names of the folders with overrides. Later ones replace what is there ("Modrinth Modpack Format (.mrpack)", "Overrides"). */
async function overridesIn(content: string): Promise<string[]> {
  const folders = (await readdir(content, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return ['overrides', 'server-overrides'].filter((name) => folders.some((folder) => folder.name === name));
}

async function requireFewOverrides(content: string): Promise<void> {
  for (const name of await overridesIn(content)) {
    const entries = await readdir(path.join(content, name), { recursive: true });
    if (entries.length > MOST_OVERRIDES)
      throw unusablePack(`its folder ${name} has more than ${MOST_OVERRIDES.toLocaleString('en')} files`);
  }
}

async function addOverrides(content: string, folder: string): Promise<void> {
  const root = await realpath(path.dirname(folder));
  const from = path.relative(path.dirname(folder), content).replaceAll(path.sep, '/');
  for (const name of await overridesIn(content)) {
    try {
      mergeTree(root, { from: `${from}/${name}`, to: path.basename(folder), keep: [] });
    } catch (error) {
      if (!isGamekeeperError(error, 'installation_failed')) throw error;
      throw unusablePack('it has a file and a folder of the same name', error);
    }
  }
  const own = (await readdir(folder)).find(isOwnName);
  if (own !== undefined) throw unusablePack(`it contains "${own}", a folder of Gamekeeper`);
}

/** Lets the list of mods show what Modrinth knows about them. Without an answer, the first change of mods asks again. */
async function rememberMods({ files }: Pack, { sources, signal, known }: Asking & { known: KnownMods }): Promise<void> {
  const hashes = files.filter(({ path: file }) => isJarName(file)).map(({ sha512 }) => sha512);
  const unknown = hashes.filter((sha512) => !known.find(sha512));
  try {
    await recogniseMods(unknown, askModrinth(PACK_TARGET, { vendors: await sources.vendors(), signal }), known);
  } catch (error) {
    if (!isGamekeeperError(error, 'vendor_unavailable')) throw error;
  }
}
