import type { ModOrder } from '../../../shared/contract/jobs.ts';
import { isLive } from '../../../shared/domain/phase.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { KeyedMutex } from '../../../shared/node/primitives/keyed-mutex.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { ModChanges } from '../../../shared/schema/mods.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { type HeldFolder, lockFolder } from '../resources/folder-lease.ts';
import type { Peers } from '../resources/peers.ts';
import type { VendorAddresses } from '../vendors/vendor.ts';
import { fetchMods } from './fetch-mods.ts';
import { changeFolder, openModFolder, tidyFolder } from './folder/change-folder.ts';
import type { JarScanner } from './folder/jar-scanner.ts';
import { presentMods } from './folder/present-mods.ts';
import type { KnownMods } from './known-mods.ts';
import { type ModTarget, modTarget } from './mod-target.ts';
import { askModrinth } from './modrinth/modrinth.ts';
import { type ModPlan, merged } from './planning/mod-plan.ts';
import { planInstall, planRemove, planUpdate } from './planning/plan-changes.ts';
import { recogniseMods } from './recognise-mods.ts';
import { isOutdated, type WaitingChange, type WaitingChanges } from './waiting-changes.ts';

export interface ChangeParts {
  peers: Peers;
  log: Logger;
  vendors: () => Promise<VendorAddresses>;
  /** Folder of downloads. */
  cache: string;
  downloads: KeyedMutex;
  known: KnownMods;
  waiting: WaitingChanges;
  scan: JarScanner;
  /** One change of an instance at a time, with its downloads. */
  changes: KeyedMutex;
  /** One that touches an instance's folder of mods: a start does not wait for downloads. */
  folders: KeyedMutex;
}

interface Change {
  order: ModOrder;
  instanceId: string;
}

/**
 * Does what was asked for with an instance's mods: plans it, downloads and verifies all of it, then changes the folder, if the server
 * does not run. If it does, that waits for its next start: a Java program reads its jars for as long as it lives.
 */
export async function changeMods({ order, instanceId }: Change, run: JobRun, parts: ChangeParts): Promise<ModChanges> {
  const release = await parts.changes.take(instanceId, run.signal);
  try {
    for (;;) {
      const { config } = await parts.peers.daemon.instance(instanceId);
      const target = await modTarget(config, parts.peers.daemon);
      const { plan, before } = await makePlan(order, { config, target }, run, parts);
      const { changes, notes } = plan;
      if (order.type !== 'remove' && order.dryRun) return { state: 'planned', changes, notes };
      if (changes.length === 0) return { state: 'done', changes, notes };
      const sources = await fetchMods(plan.puts, run, parts);
      for (const { sha512, known } of plan.puts) parts.known.remember(sha512, known);
      const state = await perform({ config, target, before, plan, sources }, run, parts);
      // A start has come in between and has done what waited for it: the plan was made for what was before.
      if (state !== 'stale') return { state, changes, notes };
    }
  } finally {
    release();
  }
}

interface Occasion {
  config: InstanceConfig;
  target: ModTarget;
}

interface Planned {
  plan: ModPlan;
  /** What waited when the plan was made. */
  before: WaitingChange | undefined;
}

async function makePlan(
  order: ModOrder,
  { config, target }: Occasion,
  { signal }: JobRun,
  { scan, known, vendors, folders, waiting }: ChangeParts,
): Promise<Planned> {
  const folder = await openModFolder(config.directory, target.folder);
  const unlock = await folders.take(config.id, signal);
  try {
    // Of a change that was cut off: it waits again, whole.
    await tidyFolder(folder, waiting.of(config.id));
    // A restore, or the owner, has made another folder of it.
    if (isOutdated(waiting.of(config.id), await scan(folder, signal))) waiting.set(config.id, undefined);
  } finally {
    unlock();
  }
  const before = waiting.of(config.id);
  const look = async () => presentMods(await scan(folder, signal), before, known);
  if (order.type === 'remove') return { plan: planRemove(order, await look()), before };
  const modrinth = askModrinth(target, { vendors: await vendors(), signal });
  await recogniseMods(await look(), modrinth, known);
  const context = { mods: await look(), target, modrinth };
  return { plan: await (order.type === 'install' ? planInstall(order, context) : planUpdate(order, context)), before };
}

async function perform(
  { config, target, before, plan, sources }: Occasion & Planned & { sources: ReadonlyMap<string, string> },
  { signal }: JobRun,
  parts: ChangeParts,
): Promise<'done' | 'waiting' | 'stale'> {
  const { waiting } = parts;
  const unlock = await parts.folders.take(config.id, signal);
  try {
    if (JSON.stringify(waiting.of(config.id)) !== JSON.stringify(before)) return 'stale';
    const change = merged(before, plan);
    const missing = change.puts.filter(({ sha512 }) => !sources.has(sha512));
    const held = await holdAtRest(config.id, signal, parts);
    if (!held) {
      waiting.set(config.id, change);
      return 'waiting';
    }
    try {
      const all = new Map([...sources, ...(await fetchMods(missing, { signal }, parts))]);
      const folder = await openModFolder(config.directory, target.folder);
      // Before the first file is touched: a change that is cut off is finished at the next start.
      waiting.set(config.id, change);
      const finish = await changeFolder({ folder, change, sources: all }, AbortSignal.any([signal, held.lost]));
      waiting.set(config.id, undefined);
      await finish();
      return 'done';
    } catch (error) {
      waiting.set(config.id, before);
      throw error;
    } finally {
      await held.release();
    }
  } finally {
    unlock();
  }
}

/** `undefined`: the server runs, or is about to. */
async function holdAtRest(
  instanceId: string,
  signal: AbortSignal,
  { peers, log }: ChangeParts,
): Promise<HeldFolder | undefined> {
  if (isLive((await peers.daemon.instance(instanceId)).runtime.phase)) return undefined;
  try {
    return await lockFolder({ instanceId, activity: 'installing', signal }, { peers, log });
  } catch (error) {
    if (error instanceof GamekeeperError && error.code === 'invalid_state') return undefined;
    throw error;
  }
}
