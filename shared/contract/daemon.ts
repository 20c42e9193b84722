import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import type { SftpState } from '../schema/sftp.ts';
import { asSent, type CallContext } from './call.ts';
import { auditRouter, type DaemonAudit } from './daemon/audit.ts';
import { credentialsRouter, type DaemonCredentials } from './daemon/credentials.ts';
import { type DaemonInstances, instancesRouter } from './daemon/instances.ts';
import { type DaemonLink, linkRouter } from './daemon/link.ts';
import { type DaemonSettings, type Listeners, settingsRouter } from './daemon/settings.ts';
import { type DaemonSoftware, softwareRouter } from './daemon/software.ts';
import { type DaemonSshKeys, sshKeysRouter } from './daemon/ssh-keys.ts';
import { type DaemonUsers, usersRouter } from './daemon/users.ts';
import type { DaemonStats } from './stats.ts';

export interface DaemonInfo extends Listeners {
  /** Id of this installation, the `iss` of its tokens. */
  daemonId: string;
  pid: number;
  version: string;
  home: string;
  startedAt: string;
  /** Node and the daemon's entry file, to start this version again. */
  program?: [node: string, entry: string];
}

/** The state of a process that starts when it is first needed, for observers that must not start it. */
export interface ProcessPresence {
  /** True once it was needed; from then on the daemon keeps it running. */
  wanted: boolean;
  /** `null` while it is not serving. */
  socket: string | null;
}

export interface DaemonService
  extends DaemonSettings,
    DaemonInstances,
    DaemonSoftware,
    DaemonUsers,
    DaemonSshKeys,
    DaemonCredentials,
    DaemonLink,
    DaemonAudit {
  info(): DaemonInfo;
  /** Returns the socket of the jobs process, which is started if it does not run. */
  jobs(): Promise<{ socket: string }>;
  /** Returns the socket of the files process, which is started if it does not run. */
  files(): Promise<{ socket: string }>;
  sftp(): SftpState;
  watchJobsPresence(signal: AbortSignal): AsyncIterable<ProcessPresence>;
  /** Returns the stats of this process, and how often it restarted the others. */
  stats(): DaemonStats;
  /** Ends daemon, gateway and jobs; with servers, each of those first. Yields lines to show while it works. */
  shutdown(withServers: boolean, signal: AbortSignal): AsyncIterable<string>;
}

const t = initTRPC.context<CallContext<DaemonService>>().create({ transformer: asSent });

const processRouter = t.router({
  info: t.procedure.query(({ ctx }) => ctx.service.info()),
  jobs: t.procedure.mutation(({ ctx }) => ctx.service.jobs()),
  files: t.procedure.mutation(({ ctx }) => ctx.service.files()),
  sftp: t.procedure.query(({ ctx }) => ctx.service.sftp()),
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
  softwareRouter,
  usersRouter,
  sshKeysRouter,
  credentialsRouter,
  linkRouter,
  auditRouter,
);

export type DaemonRouter = typeof daemonRouter;
