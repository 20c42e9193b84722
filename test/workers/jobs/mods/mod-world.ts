import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import type { ModOrder } from '../../../../shared/contract/jobs.ts';
import type { InstanceRuntime } from '../../../../shared/domain/instance/runtime.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import type { ModChanges } from '../../../../shared/schema/mods.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { startTestJobs, type TestJobs } from '../../../support/jobs/test-jobs.ts';
import { type FakeDependency, type FakeModrinth, GAME, idOf, startFakeModrinth } from './fake-modrinth.ts';

export interface ModWorld {
  modrinth: FakeModrinth;
  jobs: TestJobs;
  /** The folder of mods or plugins. */
  folder: string;
  /** Its file names. */
  files(): string[];
  /** Runs a mod change and returns its result; throws its error. */
  change(order: ModOrder): Promise<ModChanges>;
  install(project: string, more?: { version?: string; dryRun?: boolean }): Promise<ModChanges>;
  update(project?: string, more?: { dryRun?: boolean }): Promise<ModChanges>;
  remove(mod: string, force?: boolean): Promise<ModChanges>;
  /** Adds a file as the owner would. */
  own(file: string, content: string | Buffer): void;
  /** Changes the instance's configuration and runtime state. */
  set(config: Partial<InstanceConfig>, runtime?: InstanceRuntime): void;
}

/** Jobs with a stand-in for Modrinth and one instance, stopped at first. */
export async function modWorld(t: Test, config: Partial<InstanceConfig> = {}): Promise<ModWorld> {
  const modrinth = await startFakeModrinth(t);
  const jobs = await startTestJobs(t);
  jobs.daemon.settings.vendors = { modrinth: modrinth.base };
  let current: Partial<InstanceConfig> = { software: 'fabric', version: GAME, ...config };
  const plugins = ['paper', 'folia', 'purpur', 'velocity'].includes(String(current.software));
  const folder = path.join(jobs.home.instanceDirectory('survival'), plugins ? 'plugins' : 'mods');
  const world: ModWorld = {
    modrinth,
    jobs,
    folder,
    files: () => readdirSync(folder).toSorted(),
    async change(order) {
      const job = await jobs.done(jobs.call.startModChange({ instanceId: 'survival', order }));
      return (await jobs.call.modChanges(job.jobId))!;
    },
    install: (project, { version, dryRun = false } = {}) =>
      world.change({ type: 'install', project, dryRun, ...(version !== undefined && { version }) }),
    update: (project, { dryRun = false } = {}) =>
      world.change({ type: 'update', dryRun, ...(project !== undefined && { project }) }),
    remove: (mod, force = false) => world.change({ type: 'remove', mod, force }),
    own(file, content) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, file), content);
    },
    set(change, runtime = { phase: 'stopped' }) {
      current = { ...current, ...change };
      const record = { config: instanceConfig(jobs.home, 'survival', current), runtime, socket: null };
      jobs.daemon.instances.set('survival', record);
    },
  };
  world.set({});
  return world;
}

/** Dependencies by their slugs. */
export function needs(...slugs: string[]): FakeDependency[] {
  return slugs.map((slug) => ({ dependency_type: 'required', project_id: idOf(slug) }));
}
