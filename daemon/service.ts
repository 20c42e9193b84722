import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '../shared/contract/daemon/audit.ts';
import type { DaemonInfo, DaemonService } from '../shared/contract/daemon.ts';
import { COMMAND_LINE } from '../shared/domain/local-administrator.ts';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import type { Home } from '../shared/node/files/home.ts';
import { connectJobs, withClient } from '../shared/node/ipc/connect.ts';
import { createMutex } from '../shared/node/primitives/mutex.ts';
import type { InstanceConfig } from '../shared/schema/instance.ts';
import { createFromFolder, createInstance, planInstance } from './instances/create-instance.ts';
import { type Deletion, deleteInstance } from './instances/delete-instance.ts';
import type { DeletedFolders } from './instances/deleted-folders.ts';
import { createPlannedPorts } from './instances/planned-ports.ts';
import type { PortLeases } from './instances/port-leases.ts';
import type { Registry } from './instances/registry.ts';
import { resolveUpdate } from './instances/resolve-instance.ts';
import { ownFolder } from './instances/server-folder.ts';
import type { JobsProcess } from './processes/jobs-process.ts';
import type { LiveSettings } from './settings/live-settings.ts';
import type { SettingsOffers } from './settings/settings-offers.ts';
import type { Shutdown } from './shutdown/shutdown.ts';
import type { CustomSoftwareFiles } from './software/custom-software.ts';
import type { Supervisors } from './supervisors/supervisors.ts';
import type { UsageHistory } from './usage/usage-history.ts';
import type { Credentials } from './users/credentials.ts';

export interface DaemonParts {
  home: Home;
  settings: LiveSettings;
  offers: SettingsOffers;
  customSoftware: CustomSoftwareFiles;
  info: () => DaemonInfo;
  registry: Registry;
  supervisors: Supervisors;
  folders: DeletedFolders;
  jobs: JobsProcess;
  credentials: Credentials;
  shutdown: Shutdown;
  usageHistory: UsageHistory;
  portLeases: PortLeases;
  stats: DaemonService['stats'];
}

/** What the other processes and the command line can ask of the daemon. */
export function createDaemonService(parts: DaemonParts): DaemonService {
  const { home, settings, offers, registry, supervisors, folders, jobs, shutdown, usageHistory, portLeases } = parts;
  // Two creations at once would choose the same id and port.
  const mutex = createMutex();
  const leaving = new Set<string>();

  const refuseWhileShuttingDown = () => {
    if (shutdown.begun.aborted) throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
  };

  const plannedPorts = createPlannedPorts(() => performance.now());
  const creation = () => ({ home, settings: settings.current(), registry, plannedPorts: plannedPorts.all() });

  /** Saves a configuration and tells its supervisor, where one runs. */
  async function reconfigure(config: InstanceConfig): Promise<InstanceConfig> {
    registry.save(config);
    await supervisors.configure(config);
    return config;
  }

  async function forgetWork(what: Parameters<Deletion['forgetWork']>[0]): Promise<void> {
    await jobs.ensure();
    // Deleting archives takes as long as the disk takes.
    await withClient(connectJobs(home.jobsSocket), ({ call }) => call.forgetInstance(what, { timeoutMs: 0 }));
  }

  return {
    ...parts.credentials,
    info: parts.info,
    settings: settings.current,
    settingsDocument: settings.settingsDocument,
    updateSettings: settings.updateSettings,
    watchSettings: settings.watchSettings,
    customSoftware: parts.customSoftware.read,
    watchCustomSoftware: parts.customSoftware.watch,
    settingsOffers: offers.settingsOffers,
    settingsTaken: offers.settingsTaken,
    instances: registry.all,
    instance: registry.get,
    watchInstances: registry.watch,
    async createInstance(request) {
      refuseWhileShuttingDown();
      return mutex.run(() => createInstance(request, creation()));
    },
    planInstance: (request) =>
      mutex.run(async () => {
        const planned = await planInstance(request, creation());
        plannedPorts.keep(planned);
        return planned;
      }),
    async createFromFolder({ request, folder }) {
      refuseWhileShuttingDown();
      return mutex.run(() => createFromFolder(request, folder, creation()));
    },
    checkFolder: (directory) =>
      ownFolder(directory, { home: home.root, others: registry.all().map(({ config }) => config) }),
    updateInstance: ({ id, change }) => mutex.run(() => reconfigure(resolveUpdate(registry.get(id).config, change))),
    adoptSettings: ({ id, settings: adopted }) =>
      mutex.run(async () => void (await reconfigure({ ...registry.get(id).config, ...adopted }))),
    leasePorts({ instanceId, ports }) {
      registry.get(instanceId);
      return portLeases.take(instanceId, ports);
    },
    releasePorts: portLeases.release,
    deleteInstance: (request) =>
      mutex.run(async () => {
        leaving.add(request.id);
        try {
          await deleteInstance(request, { home, registry, supervisors, folders, forgetWork });
        } finally {
          leaving.delete(request.id);
        }
      }),
    usageHistory(request) {
      registry.get(request.instanceId);
      return usageHistory.read(request, Date.now());
    },
    async supervisor(id) {
      registry.get(id);
      refuseWhileShuttingDown();
      if (leaving.has(id)) throw new GamekeeperError('already_in_progress', `"${id}" is being deleted.`);
      const { socket } = await supervisors.ensure(id);
      return { socket };
    },
    async jobs() {
      refuseWhileShuttingDown();
      await jobs.ensure();
      return { socket: home.jobsSocket };
    },
    watchJobsPresence: jobs.watch,
    stats: parts.stats,
    async *shutdown(withServers, signal) {
      const lines = shutdown.lines(signal);
      if (!shutdown.begun.aborted) parts.credentials.audit(endedBy(withServers));
      shutdown.begin({ withServers });
      yield* lines;
    },
  };
}

/** Only the command line ends Gamekeeper by a call. */
function endedBy(withServers: boolean): AuditEntry {
  return {
    at: new Date().toISOString(),
    who: COMMAND_LINE,
    from: 'this machine',
    method: 'CLI',
    path: withServers ? 'down --with-servers' : 'down',
    status: 200,
    requestId: randomUUID(),
  };
}
