import type { ModOrder } from '../../../shared/contract/jobs.ts';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { ModChanges } from '../../../shared/schema/mods.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { type FolderLease, lockFolder } from '../resources/folder-lease.ts';
import { type Peers, recordWork } from '../resources/peers.ts';
import { fetchMods, type ModSources } from './fetch-mods.ts';
import { firstVersion } from './first-version.ts';
import { changeFolder, tidyFolder } from './folder/change-folder.ts';
import type { JarScanner } from './folder/jar-scanner.ts';
import { openModFolder } from './folder/open-mod-folder.ts';
import { presentMods } from './folder/present-mods.ts';
import type { KnownMods } from './known-mods.ts';
import { type ModTarget, modTarget } from './mod-target.ts';
import { askModrinth } from './modrinth/modrinth.ts';
import { type ModPlan, merged } from './planning/mod-plan.ts';
import { planInstall, planRemove, planUpdate } from './planning/plan-changes.ts';
import { recogniseMods } from './recognise-mods.ts';
import { isForOther, isOutdated, type WaitingChange, type WaitingChanges } from './waiting-changes.ts';

export interface ModOptions {
  peers: Peers;
  sources: ModSources;
  /** What the database knows: which files come from Modrinth, and which changes wait for a start. */
  records: { known: KnownMods; waiting: WaitingChanges };
  scan: JarScanner;
  /** Keyed by instance. A change holds `changes` throughout, but `folders` only while it touches the folder, so a start never waits for downloads. */
  locks: { changes: KeyedMutex; folders: KeyedMutex };
  log: Logger;
}

interface Change {
  order: ModOrder;
  instanceId: string;
}

/**
 * Changes an instance's mods: plans the change, downloads and verifies everything, then changes the folder. If the server runs, the folder
 * is changed at its next start: a Java program reads its jars for as long as it lives.
 */
export async function changeMods({ order, instanceId }: Change, run: JobRun, options: ModOptions): Promise<ModChanges> {
  const { peers, sources, records, locks } = options;
  const release = await locks.changes.take(instanceId, run.signal);
  try {
    for (;;) {
      const { config: stored } = await peers.daemon.instance(instanceId);
      const config = order.type === 'remove' ? stored : await withVersion(stored, run, options);
      const target = await modTarget(config, peers.daemon);
      const { plan, before } = await makePlan(order, { config, target }, run, options);
      const { changes } = plan;
      const isFirstVersion = config.version !== stored.version && changes.length > 0;
      const notes = isFirstVersion ? [...plan.notes, `The server gets version ${config.version}.`] : plan.notes;
      if (order.type !== 'remove' && order.dryRun) return { state: 'planned', changes, notes };
      if (changes.length === 0) return { state: 'done', changes, notes };
      const files = await fetchMods(plan.puts, run, sources);
      for (const { sha512, known } of plan.puts) records.known.remember(sha512, known);
      if (isFirstVersion && !(await pinVersion(config, stored, options))) continue;
      const state = await perform({ config, target, before, plan, files }, run, options);
      // `stale`: the server started meanwhile and made the waiting changes, so the plan no longer applies.
      if (state === 'done') await recordWork({ instanceId: config.id, kind: 'mods' }, options);
      if (state !== 'stale') return { state, changes, notes };
    }
  } finally {
    release();
  }
}

async function withVersion(
  config: InstanceConfig,
  { signal }: JobRun,
  { peers, sources }: ModOptions,
): Promise<InstanceConfig> {
  return { ...config, version: await firstVersion(config, { daemon: peers.daemon, sources, signal }) };
}

/** Stores the version that mods were chosen for, so that the first start installs no other. Returns false if there is one meanwhile. */
async function pinVersion(
  { id, version }: InstanceConfig,
  { version: before }: InstanceConfig,
  { peers }: ModOptions,
): Promise<boolean> {
  const { config } = await peers.daemon.instance(id);
  if (config.version !== before) return false;
  await peers.daemon.updateInstance({ id, change: { version } });
  return true;
}

interface Occasion {
  config: InstanceConfig;
  target: ModTarget;
}

interface Planned {
  plan: ModPlan;
  /** The change that waited when the plan was made. */
  before: WaitingChange | undefined;
}

async function makePlan(
  order: ModOrder,
  { config, target }: Occasion,
  { signal }: JobRun,
  { sources, records, scan, locks }: ModOptions,
): Promise<Planned> {
  const { known, waiting } = records;
  using folder = await openModFolder(config.directory, target.folder);
  const unlock = await locks.folders.take(config.id, signal);
  try {
    // Undoes an interrupted change, which then waits again as a whole.
    await tidyFolder(folder.place, waiting.of(config.id));
    // A restore or the owner has changed the folder, or the server has other software by now.
    const waits = waiting.of(config.id);
    if (isForOther(waits, config) || isOutdated(waits, await scan(folder.path, signal)))
      waiting.set(config.id, undefined);
  } finally {
    unlock();
  }
  const before = waiting.of(config.id);
  const look = async () => presentMods(await scan(folder.path, signal), before, known);
  if (order.type === 'remove') return { plan: planRemove(order, await look()), before };
  const modrinth = askModrinth(target, { vendors: await sources.vendors(), signal });
  const unknown = (await look()).flatMap(({ known: mod, sha512 }) => (mod || sha512 === undefined ? [] : [sha512]));
  await recogniseMods(unknown, modrinth, known);
  const context = { mods: await look(), target, modrinth };
  return { plan: await (order.type === 'install' ? planInstall(order, context) : planUpdate(order, context)), before };
}

async function perform(
  { config, target, before, plan, files }: Occasion & Planned & { files: ReadonlyMap<string, string> },
  { signal }: JobRun,
  options: ModOptions,
): Promise<'done' | 'waiting' | 'stale'> {
  const { waiting } = options.records;
  const unlock = await options.locks.folders.take(config.id, signal);
  try {
    if (JSON.stringify(waiting.of(config.id)) !== JSON.stringify(before)) return 'stale';
    const change = merged(before, plan, config.software);
    const missing = change.puts.filter(({ sha512 }) => !files.has(sha512));
    const lease = await lockIfStopped(config.id, signal, options);
    if (!lease) {
      waiting.set(config.id, change);
      return 'waiting';
    }
    try {
      const sources = new Map([...files, ...(await fetchMods(missing, { signal }, options.sources))]);
      using folder = await openModFolder(config.directory, target.folder);
      // Recorded before the first file is touched, so the next start finishes an interrupted change.
      waiting.set(config.id, change);
      const order = { folder: folder.place, change, sources };
      const finish = await changeFolder(order, AbortSignal.any([signal, lease.lost]));
      waiting.set(config.id, undefined);
      await finish();
      return 'done';
    } catch (error) {
      waiting.set(config.id, before);
      throw error;
    } finally {
      await lease.release();
    }
  } finally {
    unlock();
  }
}

/** Returns `undefined` if the server runs or is about to. */
async function lockIfStopped(
  instanceId: string,
  signal: AbortSignal,
  { peers, log }: ModOptions,
): Promise<FolderLease | undefined> {
  if (isLive((await peers.daemon.instance(instanceId)).runtime.phase)) return undefined;
  try {
    return await lockFolder({ instanceId, activity: 'installing', signal }, { peers, log });
  } catch (error) {
    if (isGamekeeperError(error, 'invalid_state')) return undefined;
    throw error;
  }
}
