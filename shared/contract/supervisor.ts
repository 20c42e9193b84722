import { initTRPC } from '@trpc/server';
import type { Activity } from '../domain/phase.ts';
import type { PlayerAction } from '../domain/player-action.ts';
import type { PlayerList } from '../domain/player-list.ts';
import type { CrashReport, InstanceRuntime } from '../domain/runtime.ts';
import type { Player } from '../schema/answers.ts';
import type { InstanceConfig } from '../schema/instance.ts';
import type { AllowedPlayer, Ban, Operator } from '../schema/player-lists.ts';
import { asSent, type CallContext, type Peer, trusted } from './call.ts';
import type { SupervisorStats } from './stats.ts';
import type { SupervisorBoot } from './supervisor-boot.ts';

/** How a folder is held for long work: which activity is shown, and what the world's state is while it lasts. */
export interface FolderLease {
  leaseId: string;
  /** False: the server runs and nothing confirmed that the world is on disk and still. */
  quiesced: boolean;
}

/** A lease ends by itself after this time without `renew`, so that no crash of its holder leaves a world locked. */
export const LEASE_MS = 15_000;
/** Holders renew three times per lease. */
export const LEASE_RENEW_MS = 5_000;

/** What a supervisor does for its instance. Each method throws a GamekeeperError that says what to do. */
export interface SupervisorService {
  status(): InstanceRuntime;
  /** The current runtime at once, then each change (phase changes at once, stats every 2 s while running). */
  watch(signal: AbortSignal): AsyncIterable<InstanceRuntime>;
  /** How it fares. Asking shows no need of this process. */
  stats(): SupervisorStats;
  /** Replaces the configuration; takes effect with the next start (limits, crash policy and sleep at once). */
  configure(config: InstanceConfig): void | Promise<void>;
  /** Replaces the owner's redaction rules for what is printed from now on. They were checked for safe running time. */
  setRedaction(redaction: SupervisorBoot['redaction']): void;
  /** Replaces the owner's own kinds of software; takes effect with the next start. */
  setSoftware(definitions: SupervisorBoot['software']): void;
  /** Resolves once the start is accepted (phase `provisioning` or `starting`). */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops a server that runs until somebody wants to join; one that is stopped waits for that at once. Otherwise nothing happens. */
  sleep(): Promise<void>;
  restart(): Promise<void>;
  kill(): Promise<void>;
  /** Runs one command and resolves to its redacted answer. */
  command(line: string): Promise<string>;
  /** Types one line into the console without waiting for anything. */
  sendLine(line: string): void;
  resize(size: { columns: number; rows: number }): void;
  players(): Promise<Player[]>;
  /** One of the server's lists, also while it is stopped; each has some of what an entry can have. */
  listedPlayers(list: PlayerList): Promise<(Ban & Operator & AllowedPlayer)[]>;
  /** Resolves to the server's (redacted) answer; empty: it said nothing. */
  playerAction(request: { name: string; action: PlayerAction; reason?: string }): Promise<string>;
  /** Newest `lines` lines, oldest first, ANSI stripped. With `contains`: newest matches of the disk log. */
  logs(query: { lines: number; contains?: string }): Promise<string[]>;
  /** How the server ended unasked, newest first. */
  crashes(): Promise<CrashReport[]>;
  /** Encoded batches (console-batch.ts) after line `after`, at most about `maxBytes`, or the last `tail` lines; empty: none. */
  readConsole(query: { after: number; maxBytes: number } | { tail: number }): Promise<Uint8Array>;
  /** Live console: one encoded batch per item, from now on. */
  console(signal: AbortSignal): AsyncIterable<Uint8Array>;
  properties(): Promise<{ properties: Record<string, string>; etag: string }>;
  setProperties(request: {
    properties: Record<string, string>;
    ifMatch?: string;
  }): Promise<{ properties: Record<string, string>; etag: string }>;
  /**
   * Takes the folder lock, which `renew` and `release` also concern: these names are part of the wire protocol. For a backup, the world of a
   * running server is locked first; a change is possible only while the server is stopped. The lock ends with the connection of `peer`.
   */
  hold(activity: Activity, peer: Peer): Promise<FolderLease>;
  renew(leaseId: string): boolean;
  release(leaseId: string): Promise<void>;
  /**
   * Stops the game gracefully if it runs, then ends this process. With `withinMs`, which may be less than the instance allows itself, the
   * game is told by a signal while there is still time for it to save.
   */
  retire(limits?: { withinMs: number }): Promise<void>;
}

const t = initTRPC.context<CallContext<SupervisorService>>().create({ transformer: asSent });

export const supervisorRouter = t.router({
  status: t.procedure.query(({ ctx }) => ctx.service.status()),
  watch: t.procedure.subscription(({ ctx, signal }) => ctx.service.watch(endless(signal))),
  stats: t.procedure.query(({ ctx }) => ctx.service.stats()),
  configure: t.procedure.input(trusted<InstanceConfig>()).mutation(({ ctx, input }) => ctx.service.configure(input)),
  setRedaction: t.procedure
    .input(trusted<SupervisorBoot['redaction']>())
    .mutation(({ ctx, input }) => ctx.service.setRedaction(input)),
  setSoftware: t.procedure
    .input(trusted<SupervisorBoot['software']>())
    .mutation(({ ctx, input }) => ctx.service.setSoftware(input)),
  start: t.procedure.mutation(({ ctx }) => ctx.service.start()),
  stop: t.procedure.mutation(({ ctx }) => ctx.service.stop()),
  sleep: t.procedure.mutation(({ ctx }) => ctx.service.sleep()),
  restart: t.procedure.mutation(({ ctx }) => ctx.service.restart()),
  kill: t.procedure.mutation(({ ctx }) => ctx.service.kill()),
  command: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.command(input)),
  sendLine: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.sendLine(input)),
  resize: t.procedure
    .input(trusted<{ columns: number; rows: number }>())
    .mutation(({ ctx, input }) => ctx.service.resize(input)),
  players: t.procedure.query(({ ctx }) => ctx.service.players()),
  listedPlayers: t.procedure.input(trusted<PlayerList>()).query(({ ctx, input }) => ctx.service.listedPlayers(input)),
  playerAction: t.procedure
    .input(trusted<{ name: string; action: PlayerAction; reason?: string }>())
    .mutation(({ ctx, input }) => ctx.service.playerAction(input)),
  logs: t.procedure
    .input(trusted<{ lines: number; contains?: string }>())
    .query(({ ctx, input }) => ctx.service.logs(input)),
  crashes: t.procedure.query(({ ctx }) => ctx.service.crashes()),
  readConsole: t.procedure
    .input(trusted<{ after: number; maxBytes: number } | { tail: number }>())
    .query(({ ctx, input }) => ctx.service.readConsole(input)),
  console: t.procedure.subscription(({ ctx, signal }) => ctx.service.console(endless(signal))),
  properties: t.procedure.query(({ ctx }) => ctx.service.properties()),
  setProperties: t.procedure
    .input(trusted<{ properties: Record<string, string>; ifMatch?: string }>())
    .mutation(({ ctx, input }) => ctx.service.setProperties(input)),
  hold: t.procedure.input(trusted<Activity>()).mutation(({ ctx, input }) => ctx.service.hold(input, ctx.peer)),
  renew: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.renew(input)),
  release: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.release(input)),
  retire: t.procedure
    .input(trusted<{ withinMs: number } | undefined>())
    .mutation(({ ctx, input }) => ctx.service.retire(input)),
});

export type SupervisorRouter = typeof supervisorRouter;

/** Our server always passes a signal; tRPC types it as optional. */
function endless(signal: AbortSignal | undefined): AbortSignal {
  return signal ?? new AbortController().signal;
}
