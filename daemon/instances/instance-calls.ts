import type { DaemonService } from '../../shared/contract/daemon.ts';
import { softwareOf } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { assertRestored } from '../../shared/node/files/assert-restored.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { connectJobs, withClient } from '../../shared/node/ipc/connect.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { SoftwareVersions } from '../../shared/schema/software-versions.ts';
import type { TunnelSettings } from '../../shared/schema/tunnel.ts';
import { toInstanceVariables } from '../../shared/schema/variables.ts';
import type { OwnLink } from '../link/link.ts';
import type { OnDemandProcess } from '../processes/on-demand-process.ts';
import type { Supervisors } from '../supervisors/supervisors.ts';
import type { UsageHistory } from '../usage/usage-history.ts';
import { settleVersion } from './change-software.ts';
import { configuredPorts } from './configured-ports.ts';
import { createFromFolder, createInstance, planInstance } from './create-instance.ts';
import { type Deletion, deleteInstance } from './delete-instance.ts';
import type { DeletedFolders } from './deleted-folders.ts';
import { checkGameUser } from './game-user.ts';
import { checkGamePort, hostLimits } from './host-limits.ts';
import { createPlannedPorts } from './planned-ports.ts';
import type { PortLeases } from './port-leases.ts';
import type { Registry } from './registry.ts';
import { requireStopped } from './require-stopped.ts';
import { reserveAddress } from './reserve-address.ts';
import { resolveUpdate } from './resolve-instance.ts';
import { ownFolder } from './server-folder.ts';
import { suggestPort } from './suggest-port.ts';
import { withVariables } from './variables.ts';

/** Longer than all attempts at a vendor with the pauses between them. Milliseconds. */
const VERSIONS_TIMEOUT_MS = 90_000;

/** The calls of the daemon about instances. */
export type InstanceCalls = Pick<
  DaemonService,
  | 'instances'
  | 'instance'
  | 'watchInstances'
  | 'createInstance'
  | 'planInstance'
  | 'createFromFolder'
  | 'checkFolder'
  | 'updateInstance'
  | 'instanceVariables'
  | 'changeVariables'
  | 'adoptSettings'
  | 'setTunnel'
  | 'storeLearnedTunnel'
  | 'leasePorts'
  | 'configuredPorts'
  | 'suggestPort'
  | 'releasePorts'
  | 'deleteInstance'
  | 'usageHistory'
  | 'recordWork'
  | 'supervisor'
>;

/** The instances and everything stored or running for them. */
export interface Instances {
  registry: Registry;
  supervisors: Supervisors;
  folders: DeletedFolders;
  portLeases: PortLeases;
  usageHistory: UsageHistory;
}

export interface InstanceCallsOptions {
  home: Home;
  instances: Instances;
  settings: () => Settings;
  /** Reads the files of kinds, in case one that was just saved was not noticed yet. */
  readKinds: () => Promise<unknown>;
  jobs: Pick<OnDemandProcess, 'ensure'>;
  /** To the proxy, which gives instances their addresses. */
  link: Pick<OwnLink, 'permitTunnel' | 'giveUpTunnel'>;
  /** Throws `shutting_down` once the daemon shuts down. */
  requireOpen: () => void;
}

export function createInstanceCalls({
  home,
  instances,
  settings,
  readKinds,
  jobs,
  link,
  requireOpen,
}: InstanceCallsOptions): InstanceCalls {
  const { registry, supervisors, folders, portLeases, usageHistory } = instances;
  // Two creations at once would choose the same id and port.
  const mutex = createMutex();
  const deleting = new Set<string>();
  const plannedPorts = createPlannedPorts(() => performance.now());
  const creation = () => ({ home, settings: settings(), registry, plannedPorts: plannedPorts.all() });

  function notDeleting(id: string): void {
    if (deleting.has(id)) throw new GamekeeperError('already_in_progress', `"${id}" is being deleted.`);
  }

  async function reconfigure(config: InstanceConfig): Promise<InstanceConfig> {
    notDeleting(config.id);
    registry.save(config);
    await supervisors.configure(config);
    return config;
  }

  /** The next start gets a supervisor that knows nothing of the former software. */
  async function requireIdle(id: string): Promise<void> {
    notDeleting(id);
    await requireStopped(id, 'can change its software', { home, registry, supervisors });
    assertRestored(home, id);
    await supervisors.retire(id);
  }

  async function versionsOf(kind: string): Promise<SoftwareVersions> {
    await jobs.ensure();
    return withClient(connectJobs(home.jobsSocket), ({ call }) =>
      call.softwareVersions(kind, { timeoutMs: VERSIONS_TIMEOUT_MS }),
    );
  }

  async function forgetWork(what: Parameters<Deletion['forgetWork']>[0]): Promise<void> {
    await jobs.ensure();
    // Deleting archives takes as long as the disk needs.
    await withClient(connectJobs(home.jobsSocket), ({ call }) => call.forgetInstance(what, { timeoutMs: 0 }));
  }

  return {
    instances: registry.all,
    instance: registry.get,
    watchInstances: registry.watch,
    async createInstance(request) {
      requireOpen();
      if (!softwareOf(request.software)) await readKinds();
      return mutex.run(() => createInstance(request, creation()));
    },
    planInstance: (request) =>
      mutex.run(async () => {
        const planned = await planInstance(request, creation());
        plannedPorts.keep(planned);
        return planned;
      }),
    async createFromFolder({ request, folder }) {
      requireOpen();
      return mutex.run(() => createFromFolder(request, folder, creation()));
    },
    checkFolder: (directory) =>
      ownFolder(directory, { home: home.root, others: registry.all().map(({ config }) => config) }),
    async updateInstance({ id, change }) {
      // Before the mutex: a vendor that does not answer must not hold up changes of other instances.
      await checkGameUser(change.runAs);
      const settled = await settleVersion(registry.get(id).config, change, versionsOf);
      return mutex.run(async () => {
        const { config } = registry.get(id);
        const changed = resolveUpdate(config, settled, hostLimits(settings()));
        if (changed.software !== config.software) await requireIdle(id);
        return reconfigure(changed);
      });
    },
    instanceVariables(id) {
      const { config } = registry.get(id);
      return toInstanceVariables(kindOf(config), config);
    },
    changeVariables: ({ id, variables }) =>
      mutex.run(async () => {
        const { config } = registry.get(id);
        const definition = kindOf(config);
        return toInstanceVariables(definition, await reconfigure(withVariables(config, definition, variables)));
      }),
    adoptSettings: ({ id, settings: adopted }) =>
      mutex.run(async () => {
        const changed = { ...registry.get(id).config, ...adopted };
        if (adopted.port !== undefined || adopted.rcon !== undefined) checkGamePort(changed, hostLimits(settings()));
        await reconfigure(changed);
      }),
    async setTunnel({ id, tunnel }) {
      notDeleting(id);
      // Before the mutex: a proxy that does not answer must not hold up changes of other instances.
      await reserveAddress(registry.get(id).config, tunnel, link.permitTunnel);
      return mutex.run(async () => {
        try {
          const { tunnel: former, ...config } = registry.get(id).config;
          notDeleting(id);
          if (former?.provider === 'relay' && tunnel?.provider !== 'relay') void link.giveUpTunnel(id);
          return await reconfigure({ ...config, ...(tunnel && { tunnel }) });
        } catch (error) {
          // It was deleted while the proxy reserved its address.
          const isGone = deleting.has(id) || !registry.all().some(({ config }) => config.id === id);
          if (isGone && tunnel?.provider === 'relay') void link.giveUpTunnel(id);
          throw error;
        }
      });
    },
    storeLearnedTunnel: ({ id, learned }) =>
      mutex.run(async () => {
        const { config } = registry.get(id);
        // The owner may have changed the settings meanwhile.
        if (config.tunnel?.provider !== learned.provider) return;
        await reconfigure({ ...config, tunnel: { ...learned, ...config.tunnel } as TunnelSettings });
      }),
    leasePorts({ instanceId, ports }) {
      registry.get(instanceId);
      return portLeases.take(instanceId, ports);
    },
    configuredPorts: () =>
      Promise.all(
        registry.all().map(async ({ config }) => ({ instanceId: config.id, ports: await configuredPorts(config) })),
      ),
    suggestPort: ({ instanceId, taken }) => suggestPort(registry.get(instanceId).config, taken, creation()),
    releasePorts: portLeases.release,
    async deleteInstance(request) {
      // After changes that have begun. Deleting takes as long as the disk needs, so changes of other instances do not wait for it.
      await mutex.run(() => {
        notDeleting(request.id);
        deleting.add(request.id);
      });
      const { tunnel } = registry.get(request.id).config;
      try {
        const exclusively = mutex.run;
        await deleteInstance(request, { home, registry, supervisors, folders, forgetWork, exclusively });
        if (tunnel?.provider === 'relay') void link.giveUpTunnel(request.id);
      } finally {
        deleting.delete(request.id);
      }
    },
    usageHistory(request) {
      registry.get(request.instanceId);
      return usageHistory.read(request, Date.now());
    },
    recordWork({ instanceId, kind }) {
      registry.get(instanceId);
      usageHistory.record({ instanceId, kind, at: Date.now() });
    },
    async supervisor(id) {
      registry.get(id);
      requireOpen();
      notDeleting(id);
      const { socket } = await supervisors.ensure(id);
      return { socket };
    },
  };
}

/** The file of a kind may have been removed. */
function kindOf({ software }: InstanceConfig): SoftwareDefinition {
  const definition = softwareOf(software);
  if (definition) return definition;
  throw new GamekeeperError('software_not_found', `There is no software "${software}" any more.`);
}
