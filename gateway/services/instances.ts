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
import { canSee, type Holder, seesEveryInstance } from '../auth/rights.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { InstanceRecord, InstanceView } from '../upstream/instance-view.ts';
import type { Supervisors } from '../upstream/supervisors.ts';

export interface InstancesService {
  /** All instances that `by` can see, from memory. */
  list(by: Holder): Instance[];
  get(id: string): Promise<Instance>;
  /** What `update` changes, as it is now. */
  configuration(id: string): Promise<InstanceConfiguration>;
  /** Throws `insufficient_scope` when `by` sets what only a local administrator may. */
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

/** Creating copies nothing large and deleting may: both may take longer than an ordinary call. */
const CHANGE_TIMEOUT_MS = 60_000;

/** Settings that stand in the server's own file as well. */
const IN_THE_FILE = ['port', 'maxPlayers', 'rcon'] as const;

export function createInstancesService({ daemon, view, supervisors, now }: InstancesOptions): InstancesService {
  /** Looking at the properties brings the file into line. What stands in its way is told by the next start, which does so as well. */
  async function writeDown(id: string): Promise<void> {
    await supervisors.ask(id, (supervisor) => supervisor.properties()).catch(() => undefined);
  }

  const toPublic = ({ config, runtime }: InstanceRecord) => toInstance(config, runtime, now());
  return {
    list(by) {
      const all = Array.from(view.all());
      return (seesEveryInstance(by) ? all : all.filter(({ config }) => canSee(by, config.id))).map(toPublic);
    },
    get: async (id) => toPublic(await view.get(id)),
    configuration: async (id) => toConfiguration((await view.get(id)).config),
    async create(request, by) {
      requireLocalAdministrator(by, localFieldsIn(request));
      const { id } = await daemon.call.createInstance(request, { timeoutMs: CHANGE_TIMEOUT_MS });
      return toPublic(await view.refresh(id));
    },
    async update(id, change, by) {
      requireLocalAdministrator(by, localFieldsIn(change));
      await view.get(id);
      await daemon.call.updateInstance({ id, change });
      if (IN_THE_FILE.some((setting) => change[setting] !== undefined)) await writeDown(id);
      return toPublic(await view.refresh(id));
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
