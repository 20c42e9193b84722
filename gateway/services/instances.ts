import { canSee, type Holder, rightsOn, seesEveryInstance } from '../../shared/domain/access/rights.ts';
import { isLive } from '../../shared/domain/instance/phase.ts';
import { readClocks } from '../../shared/node/primitives/clocks.ts';
import { canRunAsOthers } from '../../shared/node/processes/system-user.ts';
import {
  type CreateInstance,
  type Instance,
  LOCAL_ADMIN_FIELDS,
  type UpdateInstance,
} from '../../shared/schema/instance.ts';
import { type InstanceConfiguration, toConfiguration } from '../../shared/schema/instance-configuration.ts';
import { toInstance } from '../../shared/schema/instance-view.ts';
import { requireLocalAdministrator } from '../auth/access.ts';
import type { Identity } from '../auth/identity.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceRecord, InstanceView } from '../upstream/instance-view.ts';
import { refreshRuntime } from '../upstream/refresh-runtime.ts';
import type { Supervisors } from '../upstream/supervisors.ts';

export interface InstancesService {
  /** Returns the instances that `by` can see, from memory. */
  list(by: Holder): Instance[];
  get(id: string): Promise<Instance>;
  /** Without the commands for callers who may not send any, and without the program for those who may not choose it. */
  configuration(id: string, by: Identity): Promise<InstanceConfiguration>;
  /** Throws `insufficient_scope` if `by` sets fields that only a local administrator may set. */
  create(request: CreateInstance, by: Identity): Promise<Instance>;
  update(id: string, change: UpdateInstance, by: Identity): Promise<Instance>;
  remove(id: string, keep: { files: 'keep' | 'delete'; backups: 'keep' | 'delete' }): Promise<void>;
}

export interface InstancesOptions {
  daemon: Daemon;
  view: InstanceView;
  supervisors: Pick<Supervisors, 'ask'>;
  now: () => number;
}

/** Deleting removes folders, which may take longer than an ordinary call. */
const CHANGE_TIMEOUT_MS = 60_000;

/** The vendor may be asked for its versions. */
const SOFTWARE_TIMEOUT_MS = 120_000;

const IN_SERVER_PROPERTIES = ['port', 'maxPlayers', 'rcon'] as const;

export function createInstancesService({ daemon, view, supervisors, now }: InstancesOptions): InstancesService {
  /** Reading the properties updates the file. If that fails, the next start updates it, and reports what is wrong. */
  async function updateFile(id: string): Promise<void> {
    await supervisors.ask(id, (supervisor) => supervisor.properties()).catch(() => undefined);
  }

  const toPublic = ({ config, runtime }: InstanceRecord) => toInstance(config, runtime, readClocks(now));
  return {
    list(by) {
      const all = Array.from(view.all());
      return (seesEveryInstance(by) ? all : all.filter(({ config }) => canSee(by, config.id))).map(toPublic);
    },
    get: async (id) => toPublic(await view.get(id)),
    async configuration(id, by) {
      const { config } = await view.get(id);
      const { stopCommand, saveCommands, ...rest } = toConfiguration(config);
      const mayCommand = rightsOn(by, id)?.scopes.has('servers:write');
      return {
        ...rest,
        ...(mayCommand && { stopCommand, saveCommands }),
        ...(by.unrestricted && config.launch && { launch: config.launch, env: config.env }),
        ...(by.unrestricted && (config.runAs !== undefined || canRunAsOthers()) && { runAs: config.runAs ?? null }),
      };
    },
    async create(request, by) {
      requireLocalAdministrator(by, localFieldsIn(request));
      const { id } = await daemon.call.createInstance(request, { timeoutMs: CHANGE_TIMEOUT_MS });
      return toPublic(await view.refresh(id));
    },
    async update(id, change, by) {
      requireLocalAdministrator(by, localFieldsIn(change));
      await view.get(id);
      const options = change.software === undefined ? {} : { timeoutMs: SOFTWARE_TIMEOUT_MS };
      await daemon.call.updateInstance({ id, change }, options);
      if (IN_SERVER_PROPERTIES.some((setting) => change[setting] !== undefined)) await updateFile(id);
      const { runtime } = await view.refresh(id);
      // What waits for a restart now.
      if (isLive(runtime.phase))
        await supervisors.ask(id, (supervisor) => refreshRuntime(id, supervisor, view)).catch(() => undefined);
      return toPublic(await view.get(id));
    },
    async remove(id, keep) {
      await view.get(id);
      await daemon.call.deleteInstance({ id, ...keep }, { timeoutMs: CHANGE_TIMEOUT_MS });
      view.remove(id);
    },
  };
}

function localFieldsIn(request: object): string[] {
  return LOCAL_ADMIN_FIELDS.filter((field) => field in request);
}
