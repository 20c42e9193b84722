import { EventEmitter, on } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import type { Peer } from '../../../shared/contract/call.ts';
import type { CredentialEvent, TokenRecord } from '../../../shared/contract/daemon/credentials.ts';
import type { InstanceEvent, InstanceRecord } from '../../../shared/contract/daemon/instances.ts';
import type { UserRecord } from '../../../shared/contract/daemon/users.ts';
import { type DaemonService, daemonRouter } from '../../../shared/contract/daemon.ts';
import { type SupervisorService, supervisorRouter } from '../../../shared/contract/supervisor.ts';
import { deriveInstanceId } from '../../../shared/domain/instance/instance-id.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { serveIpc } from '../../../shared/node/ipc/server.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { type Settings, settings } from '../../../shared/schema/settings.ts';

/** A supervisor that locks its folder as the contract requires, on a real socket, and records its calls. */
export interface FakeSupervisor {
  /** `hold backing-up`, `renew`, `release`, `lost` (the connection of the lease broke), in order. */
  readonly heard: string[];
  /** The answer to `hold`; may wait, or throw. */
  onHold: () => Promise<{ quiesced: boolean }> | { quiesced: boolean };
  /** May throw. */
  onStart: () => void;
  onRestart: () => void;
  onStop: () => void;
  /** What a renewal answers about a world that was saved. */
  still: boolean;
  /** True while the folder is locked. */
  readonly held: boolean;
  /** Ends the lease, as if it had expired. */
  endLease(): void;
  /** Dies, as by kill -9. */
  die(): Promise<void>;
}

/** The daemon's part of the contract that jobs uses. */
export interface FakeDaemon {
  settings: Settings;
  /** Runs before each answer to a request for the settings. */
  beforeSettings: () => Promise<void>;
  /** Runs before an unpacked folder becomes an instance. */
  beforeCreation: () => void;
  /** Custom software. */
  kinds: SoftwareDefinition[];
  readonly instances: Map<string, InstanceRecord>;
  readonly users: Map<string, UserRecord>;
  readonly tokens: Map<string, TokenRecord>;
  /** Removes a token, and notifies watchers. */
  revoke(tokenId: string): void;
  supervisor(id: string): Promise<FakeSupervisor>;
  /** Changes `backups` of the settings, and notifies watchers. */
  setBackups(backups: object): void;
  /** Work that was added to the history, as `instance kind`. */
  readonly recorded: string[];
  /** Audit entries, as `who method path`. */
  readonly audited: string[];
  /** Changes an instance's runtime state, and notifies watchers. */
  change(id: string, runtime: InstanceRecord['runtime']): void;
}

/** A configuration with the default folder. */
export function instanceConfig(home: Home, id: string, more: Partial<InstanceConfig> = {}): InstanceConfig {
  return {
    id,
    name: id,
    software: 'demo',
    version: '1.0',
    port: 25_565,
    memoryMb: 512,
    eulaAccepted: false,
    autoStart: false,
    crashPolicy: { restart: 'never', maxRestarts: 0, windowSeconds: 600 },
    stopTimeoutSeconds: 60,
    directory: home.instanceDirectory(id),
    managed: true,
    env: {},
    createdAt: '2026-11-20T08:00:00.000Z',
    ...more,
  };
}

export async function startFakeDaemon(t: Test, home: Home, configs: readonly InstanceConfig[]): Promise<FakeDaemon> {
  makeFolders(home);
  const changes = new EventEmitter();
  const supervisors = new Map<string, Promise<FakeSupervisor>>();
  const instances = new Map<string, InstanceRecord>(
    configs.map((config) => [config.id, { config, runtime: { phase: 'stopped' }, socket: null }]),
  );
  const instance = (id: string) => {
    const found = instances.get(id);
    if (!found) throw new GamekeeperError('instance_not_found', `There is no instance "${id}".`);
    return found;
  };
  const daemon: FakeDaemon = {
    settings: settings.parse({ log: { level: 'silent' } }),
    beforeSettings: () => Promise.resolve(),
    beforeCreation: () => undefined,
    kinds: [],
    instances,
    users: new Map(),
    tokens: new Map(),
    revoke(id) {
      daemon.tokens.delete(id);
      changes.emit('credential', { type: 'token-revoked', id } satisfies CredentialEvent);
    },
    recorded: [],
    audited: [],
    setBackups(backups) {
      daemon.settings = settings.parse({ ...daemon.settings, backups });
      changes.emit('settings');
    },
    supervisor(id) {
      const supervisor = supervisors.get(id) ?? startFakeSupervisor(t, home, id);
      supervisors.set(id, supervisor);
      return supervisor;
    },
    change(id, runtime) {
      instances.set(id, { ...instance(id), runtime });
      changes.emit('event', { type: 'changed', instance: instance(id) } satisfies InstanceEvent);
    },
  };
  const server = await serveIpc({
    socketPath: home.daemonSocket,
    name: 'daemon',
    version: '0',
    router: daemonRouter,
    service: {
      ...instanceCalls(daemon, { home, changes, instance }),
      ...credentialCalls(daemon, changes),
      ...settingsCalls(daemon, changes),
    } as DaemonService,
    onError: (error, procedure) => t.fail(`${procedure}: ${error}`),
  });
  t.teardown(() => server.close());
  return daemon;
}

interface InstanceState {
  home: Home;
  changes: EventEmitter;
  /** Throws `instance_not_found`. */
  instance: (id: string) => InstanceRecord;
}

function instanceCalls(daemon: FakeDaemon, { home, changes, instance }: InstanceState): Partial<DaemonService> {
  const { instances } = daemon;
  return {
    async updateInstance({ id, change }) {
      const record = instance(id);
      const config = { ...record.config, version: change.version ?? record.config.version };
      instances.set(id, { ...record, config });
      return config;
    },
    async planInstance({ name, software, id = 'planned', port = 25_600 }) {
      return instanceConfig(home, id, { name, software, port, rcon: { port: 25_601, password: 'chosen' } });
    },
    async createFromFolder({ request, folder }) {
      daemon.beforeCreation();
      if (request.name === 'refused') throw new GamekeeperError('instance_exists', 'Refused.');
      const { id, name, software, version = '1.0', port = 1, ports } = request;
      const { launch, acceptEula = false, autoStart = false } = request;
      const flags = { eulaAccepted: acceptEula, autoStart, ...(request.autoResume && { autoResume: true }) };
      const config = instanceConfig(home, id!, {
        ...{ name, software, version, port, ...flags },
        ...(ports && { ports }),
        ...(launch && { launch }),
      });
      renameSync(folder, config.directory);
      instances.set(id!, { config, runtime: { phase: 'stopped' }, socket: null });
      return config;
    },
    async createInstance({ name, software, version = '1.0', port = 25_565, ...request }) {
      const id = request.id ?? deriveInstanceId(name, (taken) => instances.has(taken));
      const directory = request.directory ?? home.instanceDirectory(id);
      const config = instanceConfig(home, id, { name, software, version, port, directory });
      instances.set(id, { config, runtime: { phase: 'stopped' }, socket: null });
      return config;
    },
    instance,
    instances: () => [...instances.values()],
    async *watchInstances(signal) {
      yield { type: 'snapshot', instances: [...instances.values()] };
      for await (const [event] of on(changes, 'event', { signal })) yield event as InstanceEvent;
    },
    recordWork: ({ instanceId, kind }) => void daemon.recorded.push(`${instanceId} ${kind}`),
    async supervisor(id) {
      instance(id);
      await daemon.supervisor(id);
      return { socket: home.supervisorSocket(id) };
    },
  };
}

function credentialCalls(daemon: FakeDaemon, changes: EventEmitter): Partial<DaemonService> {
  return {
    user: (username) => daemon.users.get(username) ?? null,
    token: (id) => daemon.tokens.get(id) ?? null,
    async *watchCredentials(signal) {
      for await (const [event] of on(changes, 'credential', { signal })) yield event as CredentialEvent;
    },
  };
}

function settingsCalls(daemon: FakeDaemon, changes: EventEmitter): Partial<DaemonService> {
  return {
    customSoftware: async () => ({ kinds: daemon.kinds, problems: [] }),
    async *watchCustomSoftware() {
      yield { kinds: [], problems: [] };
    },
    settings: () => daemon.beforeSettings().then(() => daemon.settings) as unknown as Settings,
    checkFolder: async (directory) => directory,
    user: (username) => daemon.users.get(username) ?? null,
    pairing: () => null,
    async *watchSettings(signal) {
      yield daemon.settings;
      for await (const _ of on(changes, 'settings', { signal })) yield daemon.settings;
    },
    audit: ({ who, method, path: where }) => void daemon.audited.push(`${who} ${method} ${where}`),
  };
}

function makeFolders(home: Home): void {
  for (const folder of [
    home.instances,
    home.backups,
    home.cache,
    home.runtimes,
    home.logs,
    path.dirname(home.supervisorSocket('x')),
  ])
    mkdirSync(folder, { recursive: true });
}

async function startFakeSupervisor(t: Test, home: Home, id: string): Promise<FakeSupervisor> {
  let holder: Peer | undefined;
  const supervisor = {
    heard: [] as string[],
    onHold: () => ({ quiesced: true }),
    onStart: () => undefined,
    onRestart: () => undefined,
    onStop: () => undefined,
    still: true,
    get held() {
      return holder !== undefined;
    },
    endLease() {
      holder = undefined;
    },
    die: () => server.close(),
  };
  const check = (leaseId: string) => {
    if (!holder || leaseId !== 'lease') throw new GamekeeperError('invalid_state', 'The lease has ended.');
  };
  const hear = async (what: string) => void supervisor.heard.push(what);
  const service: Partial<SupervisorService> = {
    async start() {
      await hear('start');
      supervisor.onStart();
    },
    async stop() {
      await hear('stop');
      supervisor.onStop();
    },
    async restart() {
      await hear('restart');
      supervisor.onRestart();
    },
    async command(line) {
      await hear(line);
      return '';
    },
    async hold(activity, peer) {
      supervisor.heard.push(`hold ${activity}`);
      if (holder) throw new GamekeeperError('backup_in_progress', 'The instance is being backed up.');
      holder = peer;
      peer.onClose(() => {
        if (holder === peer) supervisor.heard.push('lost');
        holder = undefined;
      });
      try {
        return { leaseId: 'lease', ...(await supervisor.onHold()) };
      } catch (error) {
        holder = undefined;
        throw error;
      }
    },
    renew(leaseId) {
      check(leaseId);
      supervisor.heard.push('renew');
      return supervisor.still;
    },
    async release(leaseId) {
      check(leaseId);
      supervisor.heard.push('release');
      holder = undefined;
    },
    notice: (text) => void supervisor.heard.push(`notice ${text}`),
  };
  const server = await serveIpc({
    socketPath: home.supervisorSocket(id),
    name: `supervisor:${id}`,
    version: '0',
    router: supervisorRouter,
    service: service as SupervisorService,
    onError: (error, procedure) => t.fail(`${procedure}: ${error}`),
  });
  t.teardown(() => server.close());
  return supervisor;
}
