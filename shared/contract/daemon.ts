import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import type { CustomSoftware } from '../domain/software/custom-software.ts';
import { asSent, type CallContext } from './call.ts';
import { auditRouter, type DaemonAudit } from './daemon/audit.ts';
import { credentialsRouter, type DaemonCredentials } from './daemon/credentials.ts';
import { type DaemonInstances, instancesRouter } from './daemon/instances.ts';
import { type DaemonSettings, type Listeners, settingsRouter } from './daemon/settings.ts';
import { type DaemonUsers, usersRouter } from './daemon/users.ts';
import type { DaemonStats } from './stats.ts';

export interface DaemonInfo extends Listeners {
  /** Stable id of this installation; the `iss` of its tokens. */
  daemonId: string;
  pid: number;
  version: string;
  home: string;
  startedAt: string;
  /** Node and the daemon's entry, by which this version is started again. */
  program?: [node: string, entry: string];
}

/** Whether the jobs process is there, for those who would use it but must not start it. */
export interface JobsPresence {
  /** Somebody has needed it, so the daemon keeps it. */
  wanted: boolean;
  /** Where it serves; `null` while it does not. */
  socket: string | null;
}

export interface DaemonService extends DaemonSettings, DaemonInstances, DaemonUsers, DaemonCredentials, DaemonAudit {
  info(): DaemonInfo;
  /** The owner's own kinds of software, as their files say now. */
  customSoftware(): Promise<CustomSoftware>;
  /** Those of now, then each change. */
  watchCustomSoftware(signal: AbortSignal): AsyncIterable<CustomSoftware>;
  /** Socket of the jobs process, started first where it does not run. */
  jobs(): Promise<{ socket: string }>;
  /** The presence at once, then each change. */
  watchJobsPresence(signal: AbortSignal): AsyncIterable<JobsPresence>;
  /** How this process fares, and the others as far as only it knows. */
  stats(): DaemonStats;
  /** Ends daemon, gateway and jobs; with servers, each of those first. Yields lines to show while it works. */
  shutdown(withServers: boolean, signal: AbortSignal): AsyncIterable<string>;
}

const t = initTRPC.context<CallContext<DaemonService>>().create({ transformer: asSent });

const processRouter = t.router({
  info: t.procedure.query(({ ctx }) => ctx.service.info()),
  customSoftware: t.procedure.query(({ ctx }) => ctx.service.customSoftware()),
  watchCustomSoftware: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchCustomSoftware(signal!)),
  jobs: t.procedure.mutation(({ ctx }) => ctx.service.jobs()),
  watchJobsPresence: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchJobsPresence(signal!)),
  stats: t.procedure.query(({ ctx }) => ctx.service.stats()),
  shutdown: t.procedure
    .input(z.boolean())
    .subscription(({ ctx, input, signal }) => ctx.service.shutdown(input, signal!)),
});

export const daemonRouter = t.mergeRouters(
  processRouter,
  settingsRouter,
  instancesRouter,
  usersRouter,
  credentialsRouter,
  auditRouter,
);

export type DaemonRouter = typeof daemonRouter;
