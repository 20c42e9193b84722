import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { PORT_PURPOSES, type PortChange, type PortConflict, type PortUse } from '../../domain/instance/port-use.ts';
import type { InstanceRuntime } from '../../domain/instance/runtime.ts';
import { type History, type HistoryEvent, type HistoryRange, historyRange } from '../../schema/history.ts';
import {
  type CreateInstance,
  createInstance,
  type InstanceConfig,
  type UpdateInstance,
  updateInstance,
} from '../../schema/instance.ts';
import { type TunnelSettings, tunnelSettings } from '../../schema/tunnel.ts';
import { type ChangeVariables, changeVariables, type InstanceVariable } from '../../schema/variables.ts';
import { asSent, type CallContext } from '../call.ts';
import type { LearnedSettings } from '../tunnel.ts';

export interface InstanceRecord {
  config: InstanceConfig;
  /** Live while a supervisor runs, else the last known state. */
  runtime: InstanceRuntime;
  socket: string | null;
}

/** Settings that the supervisor found in `server.properties`, or chose. */
export interface AdoptedSettings {
  port?: number;
  maxPlayers?: number;
  rcon?: NonNullable<InstanceConfig['rcon']>;
}

/** Completed work that the history of an instance shows. */
const RECORDED_WORK = ['backup', 'mods'] as const satisfies readonly HistoryEvent['kind'][];
export type RecordedWork = (typeof RECORDED_WORK)[number];

/** The first item of a watch is `snapshot`. */
export type InstanceEvent =
  | { type: 'snapshot'; instances: InstanceRecord[] }
  | { type: 'changed'; instance: InstanceRecord }
  | { type: 'removed'; id: string };

/** The registry of instances, with port leases and usage history. */
export interface DaemonInstances {
  instances(): InstanceRecord[];
  /** Throws `instance_not_found`. */
  instance(id: string): InstanceRecord;
  watchInstances(signal: AbortSignal): AsyncIterable<InstanceEvent>;
  createInstance(request: CreateInstance): Promise<InstanceConfig>;
  /** Returns what `createInstance` would create, without creating or reserving anything. */
  planInstance(request: CreateInstance): Promise<InstanceConfig>;
  /** Creates an instance from a prepared folder, which is moved into place. If this fails the folder stays where it is. */
  createFromFolder(request: { request: CreateInstance; folder: string }): Promise<InstanceConfig>;
  /**
   * Returns the real path of a folder that an instance can use in place. Throws `invalid_request` saying what is wrong with it, and
   * `instance_exists` if it overlaps with another instance's.
   */
  checkFolder(directory: string): Promise<string>;
  updateInstance(request: { id: string; change: UpdateInstance }): Promise<InstanceConfig>;
  /** Throws `software_not_found` if the kind of the instance does not exist any more. */
  instanceVariables(id: string): InstanceVariable[];
  /** Sets variables and returns all. Throws like `instanceVariables`, and `invalid_request` with the variable and what is allowed. */
  changeVariables(request: { id: string } & ChangeVariables): Promise<InstanceVariable[]>;
  /**
   * Stores settings that the supervisor found or chose. Resolves when the supervisor has the new configuration. Throws `invalid_request` for
   * a port that can never work.
   */
  adoptSettings(request: { id: string; settings: AdoptedSettings }): Promise<void>;
  /**
   * Sets up a tunnel in place of the present one; `null`: none. Resolves when the supervisor has it. Throws `proxy_refused` if it is one
   * through the paired proxy and the proxy refuses, for example a name that is taken.
   */
  setTunnel(request: { id: string; tunnel: TunnelSettings | null }): Promise<InstanceConfig>;
  /** Adds what a tunnel learned to its settings, unless the owner has set it meanwhile. */
  storeLearnedTunnel(request: { id: string; learned: LearnedSettings }): Promise<void>;
  /** Leases all ports of a start, replacing the instance's former leases. Returns the first conflict instead, if there is one. */
  leasePorts(request: { instanceId: string; ports: PortUse[] }): PortConflict | null;
  /** Returns the ports that each instance is set to use, whether it runs or not. */
  configuredPorts(): Promise<{ instanceId: string; ports: PortUse[] }[]>;
  /**
   * Returns another number for a port of an instance that is taken: one that no server is set to use and no program listens on. `null`: the
   * port has no setting of its own. Throws `port_in_use` if none is left.
   */
  suggestPort(request: { instanceId: string; taken: PortUse }): Promise<PortChange | null>;
  releasePorts(instanceId: string): void;
  deleteInstance(request: { id: string; files: 'keep' | 'delete'; backups: 'keep' | 'delete' }): Promise<void>;
  usageHistory(request: { instanceId: string; range: HistoryRange }): History;
  /** Adds work that the jobs process has completed to the history. */
  recordWork(request: { instanceId: string; kind: RecordedWork }): void;
  /** Returns the socket of the instance's supervisor, which is started if none runs. */
  supervisor(id: string): Promise<{ socket: string }>;
}

const t = initTRPC.context<CallContext<DaemonInstances>>().create({ transformer: asSent });
const id = z.string().min(1).max(256);
const deletion = z.object({ id, files: z.enum(['keep', 'delete']), backups: z.enum(['keep', 'delete']) });
const learned = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('ssh'), hostKey: z.string().max(100) }),
  z.object({ provider: z.literal('playit'), secret: z.string().max(1_024) }),
]);
const port = z.int().min(1).max(65_535);
const adoptedSettings = z.object({
  port: port.exactOptional(),
  maxPlayers: z.int().min(1).exactOptional(),
  rcon: z.object({ port, password: z.string(), chosen: z.literal(true).exactOptional() }).exactOptional(),
});
const portUse = z.object({
  purpose: z.enum(PORT_PURPOSES),
  transport: z.enum(['tcp', 'udp']),
  port,
  label: z.string().max(64).exactOptional(),
  host: z.string().exactOptional(),
});

export const instancesRouter = t.router({
  instances: t.procedure.query(({ ctx }) => ctx.service.instances()),
  instance: t.procedure.input(id).query(({ ctx, input }) => ctx.service.instance(input)),
  watchInstances: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchInstances(signal!)),
  createInstance: t.procedure.input(createInstance).mutation(({ ctx, input }) => ctx.service.createInstance(input)),
  planInstance: t.procedure.input(createInstance).query(({ ctx, input }) => ctx.service.planInstance(input)),
  createFromFolder: t.procedure
    .input(z.object({ request: createInstance, folder: z.string() }))
    .mutation(({ ctx, input }) => ctx.service.createFromFolder(input)),
  checkFolder: t.procedure.input(z.string()).query(({ ctx, input }) => ctx.service.checkFolder(input)),
  updateInstance: t.procedure
    .input(z.object({ id, change: updateInstance }))
    .mutation(({ ctx, input }) => ctx.service.updateInstance(input)),
  instanceVariables: t.procedure.input(id).query(({ ctx, input }) => ctx.service.instanceVariables(input)),
  changeVariables: t.procedure
    .input(changeVariables.extend({ id }))
    .mutation(({ ctx, input }) => ctx.service.changeVariables(input)),
  adoptSettings: t.procedure
    .input(z.object({ id, settings: adoptedSettings }))
    .mutation(({ ctx, input }) => ctx.service.adoptSettings(input)),
  setTunnel: t.procedure
    .input(z.object({ id, tunnel: tunnelSettings.nullable() }))
    .mutation(({ ctx, input }) => ctx.service.setTunnel(input)),
  storeLearnedTunnel: t.procedure
    .input(z.object({ id, learned }))
    .mutation(({ ctx, input }) => ctx.service.storeLearnedTunnel(input)),
  leasePorts: t.procedure
    .input(z.object({ instanceId: id, ports: z.array(portUse) }))
    .mutation(({ ctx, input }) => ctx.service.leasePorts(input)),
  configuredPorts: t.procedure.query(({ ctx }) => ctx.service.configuredPorts()),
  suggestPort: t.procedure
    .input(z.object({ instanceId: id, taken: portUse }))
    .query(({ ctx, input }) => ctx.service.suggestPort(input)),
  releasePorts: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.releasePorts(input)),
  deleteInstance: t.procedure.input(deletion).mutation(({ ctx, input }) => ctx.service.deleteInstance(input)),
  usageHistory: t.procedure
    .input(z.object({ instanceId: id, range: historyRange }))
    .query(({ ctx, input }) => ctx.service.usageHistory(input)),
  recordWork: t.procedure
    .input(z.object({ instanceId: id, kind: z.enum(RECORDED_WORK) }))
    .mutation(({ ctx, input }) => ctx.service.recordWork(input)),
  supervisor: t.procedure.input(id).mutation(({ ctx, input }) => ctx.service.supervisor(input)),
});
