import { DatabaseSync } from 'node:sqlite';
import { withVariables } from '../../../daemon/instances/variables.ts';
import { createLink } from '../../../daemon/link/link.ts';
import { type Store, storeIn } from '../../../daemon/store/store.ts';
import { createCredentials } from '../../../daemon/users/credentials.ts';
import type { AuditEntry } from '../../../shared/contract/daemon/audit.ts';
import type { InstanceEvent, InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import type { SettingsOffer, SettingsTaken } from '../../../shared/contract/daemon/settings.ts';
import type { DaemonService, ProcessPresence } from '../../../shared/contract/daemon.ts';
import type { DaemonStats } from '../../../shared/contract/stats.ts';
import { deriveInstanceId } from '../../../shared/domain/instance/instance-id.ts';
import type { InstanceRuntime } from '../../../shared/domain/instance/runtime.ts';
import { softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { extendDefinition } from '../../../shared/domain/software/extend-definition.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { parseSoftware } from '../../../shared/schema/software.ts';
import { toInstanceVariables } from '../../../shared/schema/variables.ts';
import { eventQueue } from '../http/event-queue.ts';
import { PROCESS_STATS } from './process-stats.ts';

/** The usage of every instance of the stand-in. */
const HISTORY = {
  stepSeconds: 10,
  points: [
    {
      ...{ at: '2026-11-20T08:00:00.000Z', cpuPercent: 12.5, memoryUsedMb: 1024, tickTimeMs: 7.5, playersOnline: 3 },
      diskFreeBytes: 5_000_000_000,
    },
  ],
  until: '2026-11-20T08:00:12.000Z',
  events: [{ at: '2026-11-20T08:00:05.000Z', kind: 'backup' as const }],
};
export const TOKEN_KEY = Buffer.alloc(32, 7).toString('base64url');
export const DAEMON_ID = '0b54f0c6-8a4d-4d4e-9a53-6f1f0d3b7c21';
export const AUDIENCE = `urn:uuid:${DAEMON_ID}`;

/** The process stats that the stand-in reports. */
const STATS: DaemonStats = {
  process: { ...PROCESS_STATS, pid: 4710 },
  restarts: { gateway: 1, jobs: 0, supervisors: [{ instanceId: 'demo', count: 2 }] },
};

/** The daemon's contract, implemented in memory with the real credential store, and controlled by the test. */
export interface StandInDaemon extends DaemonService {
  readonly records: Map<string, InstanceRecord>;
  /** The state that a real daemon has on disk. */
  readonly database: DatabaseSync;
  readonly audited: AuditEntry[];
  /** Cancels a waiting request to a proxy. */
  closeLink(): Promise<void>;
  readonly deleted: { id: string; files: string; backups: string }[];
  /** While true, no call is answered. */
  silent: boolean;
  /** State of the jobs process, which starts with the first request for it. */
  showJobs(presence: ProcessPresence): void;
  /** Ports for the gateway; 0 for any. */
  ports: SettingsOffer['ports'];
  /** Sends settings to the gateway. Resolves to its answer. */
  offer(settings: Settings, ports?: SettingsOffer['ports']): Promise<SettingsTaken>;
  put(config: InstanceConfig, runtime?: InstanceRuntime, socket?: string | null): void;
}

export interface StandInDaemonOptions {
  settings: Settings;
  home: string;
  supervisorSocket: (id: string) => Promise<string>;
  jobsSocket: () => Promise<string>;
  filesSocket: () => Promise<string>;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export function standInDaemon(options: StandInDaemonOptions): StandInDaemon {
  const { settings, home, supervisorSocket, jobsSocket, filesSocket, now = Date.now } = options;
  const database = new DatabaseSync(':memory:');
  const store = storeOfKnownIdentity(database);
  const isoNow = () => new Date(now()).toISOString();
  const credentials = createCredentials(store, isoNow);
  const log = createLogger({ name: 'daemon', level: 'silent' });
  const { close: closeLink, ...link } = createLink({ store, credentials, log, now: isoNow });
  const instances = instanceCalls(store);
  const audited: AuditEntry[] = [];
  const offers = eventQueue<SettingsOffer>();
  const presences = eventQueue<ProcessPresence>();
  let presence: ProcessPresence = { wanted: false, socket: null };
  const answers = new Map<number, PromiseWithResolvers<SettingsTaken>>();

  function showJobs(next: ProcessPresence): void {
    presence = next;
    presences.publish(next);
  }

  const daemon: StandInDaemon = {
    ...credentials,
    ...link,
    closeLink,
    ...instances,
    database,
    audited,
    silent: false,
    info() {
      const answer = {
        daemonId: DAEMON_ID,
        pid: process.pid,
        version: VERSION,
        home,
        startedAt: '2026-11-20T00:00:00.000Z',
        panel: null,
        remote: null,
      };
      return daemon.silent ? (new Promise(() => undefined) as never) : answer;
    },
    settings: () => settings,
    settingsDocument: async () => ({ stored: settings, current: settings, version: '1', overridden: [] }),
    updateSettings: () => Promise.reject(new Error('The stand-in keeps its settings.')),
    customSoftware: async () => ({ kinds: [], problems: [] }),
    async *watchCustomSoftware() {
      yield { kinds: [], problems: [] };
    },
    checkKind: async (text) => ({ kind: 'arena', title: 'Arena', text, notes: [], scripts: [] }),
    async saveKind(text) {
      try {
        return parseSoftware(extendDefinition(JSON.parse(text), [softwareOf('custom')!]));
      } catch (cause) {
        throw new GamekeeperError('invalid_request', 'text: this is not the file of a kind.', { cause });
      }
    },
    removeKind: async (kind) => {
      throw new GamekeeperError('software_not_found', `There is no kind "${kind}" of your own.`);
    },
    async *watchSettings() {
      yield settings;
    },
    async *settingsOffers(signal) {
      const following = offers.subscribe(signal);
      yield { id: 0, settings: daemon.settings(), ports: daemon.ports };
      yield* following;
    },
    settingsTaken: (answer) => answers.get(answer.id)?.resolve(answer),
    ports: { panel: 0, remote: 0 },
    offer(next, ports = daemon.ports) {
      const id = answers.size + 1;
      const answer = Promise.withResolvers<SettingsTaken>();
      answers.set(id, answer);
      daemon.settings = () => next;
      offers.publish({ id, settings: next, ports });
      return answer.promise;
    },
    leasePorts: () => null,
    configuredPorts: async () =>
      Array.from(daemon.records.values(), ({ config: { id, port } }) => ({
        instanceId: id,
        ports: [{ purpose: 'game', transport: 'tcp', port }],
      })),
    suggestPort: async () => null,
    releasePorts: () => undefined,
    usageHistory: ({ range }) => ({ range, ...HISTORY }),
    recordWork: () => undefined,
    async supervisor(id) {
      instances.instance(id);
      return { socket: await supervisorSocket(id) };
    },
    async jobs() {
      const socket = await jobsSocket();
      showJobs({ wanted: true, socket });
      return { socket };
    },
    files: async () => ({ socket: await filesSocket() }),
    sftp: () => ({ enabled: false, listening: null }),
    showJobs,
    async *watchJobsPresence(signal) {
      const changes = presences.subscribe(signal);
      yield presence;
      yield* changes;
    },
    stats: () => STATS,
    auditBatch(entries) {
      audited.push(...entries);
      credentials.auditBatch(entries);
    },
    async *shutdown() {
      yield 'done';
    },
  };
  return daemon;
}

/** The instances and all calls that change them. */
function instanceCalls(store: Store) {
  const records = new Map<string, InstanceRecord>();
  const deleted: StandInDaemon['deleted'] = [];
  const events = eventQueue<InstanceEvent>();

  function instance(id: string): InstanceRecord {
    const record = records.get(id);
    if (!record) throw new GamekeeperError('instance_not_found', `There is no instance "${id}".`);
    return record;
  }

  function put(config: InstanceConfig, runtime: InstanceRuntime = { phase: 'stopped' }, socket: string | null = null) {
    const record = { config, runtime, socket };
    store.instances.save(config);
    records.set(config.id, record);
    events.publish({ type: 'changed', instance: record });
  }

  async function createInstance(request: Parameters<DaemonService['createInstance']>[0]): Promise<InstanceConfig> {
    const id = request.id ?? deriveInstanceId(request.name, (taken) => records.has(taken));
    if (records.has(id)) throw new GamekeeperError('instance_exists', `There is an instance "${id}" already.`);
    const { acceptEula, ...rest } = request;
    const config = instanceConfig({ ...rest, id, eulaAccepted: acceptEula } as Partial<InstanceConfig>);
    put(config);
    return config;
  }

  return {
    records,
    deleted,
    put,
    instances: () => [...records.values()],
    instance,
    async *watchInstances(signal) {
      const changes = events.subscribe(signal);
      yield { type: 'snapshot', instances: [...records.values()] };
      yield* changes;
    },
    checkFolder: async (directory) => directory,
    planInstance: createInstance,
    createFromFolder: ({ request }) => createInstance(request),
    createInstance,
    async adoptSettings({ id, settings: adopted }) {
      const record = instance(id);
      put({ ...record.config, ...adopted }, record.runtime, record.socket);
    },
    async setTunnel({ id, tunnel }) {
      const { config, runtime, socket } = instance(id);
      const { tunnel: _former, ...rest } = config;
      const changed = { ...rest, ...(tunnel && { tunnel }) };
      put(changed, runtime, socket);
      return changed;
    },
    instanceVariables: (id) => toInstanceVariables(softwareOf(instance(id).config.software)!, instance(id).config),
    async changeVariables({ id, variables }) {
      const { config, runtime, socket } = instance(id);
      const definition = softwareOf(config.software)!;
      const changed = withVariables(config, definition, variables);
      put(changed, runtime, socket);
      return toInstanceVariables(definition, changed);
    },
    storeLearnedTunnel: async () => undefined,
    async updateInstance({ id, change }) {
      const { config, runtime, socket } = instance(id);
      const { acceptEula, ...rest } = change;
      // `null` in a change removes the field.
      const members = Object.entries({ ...config, ...rest }).filter(([, value]) => value !== null);
      const changed = Object.fromEntries(members) as unknown as InstanceConfig;
      put(changed, runtime, socket);
      return changed;
    },
    async deleteInstance(request) {
      if (instance(request.id).runtime.phase !== 'stopped')
        throw new GamekeeperError('invalid_state', `"${request.id}" is running.`);
      deleted.push(request);
      store.instances.remove(request.id);
      records.delete(request.id);
      events.publish({ type: 'removed', id: request.id });
    },
  } satisfies Partial<StandInDaemon>;
}

function storeOfKnownIdentity(database: DatabaseSync): Store {
  storeIn(database);
  const set = database.prepare('UPDATE meta SET value = ? WHERE key = ?');
  set.run(DAEMON_ID, 'daemonId');
  set.run(TOKEN_KEY, 'tokenKey');
  return storeIn(database);
}

/** Returns a complete configuration with the given fields. */
export function instanceConfig(parts: Partial<InstanceConfig> = {}): InstanceConfig {
  return {
    id: 'demo',
    name: 'Demo',
    software: 'demo',
    version: '1.0',
    port: 25_565,
    memoryMb: 2048,
    eulaAccepted: false,
    autoStart: false,
    crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 },
    stopTimeoutSeconds: 60,
    directory: '/nowhere/demo',
    managed: true,
    env: {},
    createdAt: '2026-11-20T00:00:00.000Z',
    ...parts,
  };
}
