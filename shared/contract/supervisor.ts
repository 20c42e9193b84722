import { initTRPC } from '@trpc/server';
import type { Activity } from '../domain/instance/phase.ts';
import type { CrashReport, InstanceRuntime } from '../domain/instance/runtime.ts';
import type { PlayerActionRequest } from '../domain/players/player-action.ts';
import type { PlayerList } from '../domain/players/player-list.ts';
import type { Effect } from '../domain/properties/property.ts';
import type { Player } from '../schema/answers.ts';
import type { Gamerule, SetGamerules } from '../schema/gamerules.ts';
import type { InstanceConfig } from '../schema/instance.ts';
import type { AddedPlayers, AllowedPlayer, Ban, Operator, SeenPlayer } from '../schema/player-lists.ts';
import { asSent, type CallContext, type Peer, trusted } from './call.ts';
import type { SupervisorStats } from './stats.ts';
import type { HandedOver, SupervisorBoot } from './supervisor-boot.ts';

/** A granted lock on the instance's folder. */
export interface FolderLease {
  leaseId: string;
  /** False: the server runs, and nothing confirmed that the world is on disk and unchanging. */
  quiesced: boolean;
}

/** A lease expires after this time without `renew`, so that a crash of its holder never leaves a world locked. */
export const LEASE_MS = 15_000;
/** Holders renew three times per lease. */
export const LEASE_RENEW_MS = 5_000;

export interface SupervisorService {
  status(): InstanceRuntime;
  /** Yields the runtime, then each change: of the phase at once, of stats every 2 s while running. */
  watch(signal: AbortSignal): AsyncIterable<InstanceRuntime>;
  /** Does not keep an idle supervisor alive. */
  stats(): SupervisorStats;
  /** Replaces the configuration. Takes effect at the next start; limits, crash policy and sleep at once. */
  configure(config: InstanceConfig): void | Promise<void>;
  /** Replaces the custom redaction rules for new output. The daemon has already checked how long they can take. */
  setRedaction(redaction: SupervisorBoot['redaction']): void;
  /** Replaces the custom software. Takes effect at the next start. */
  setSoftware(definitions: SupervisorBoot['software']): void;
  /** Resolves once the start is accepted (phase `provisioning` or `starting`). */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Puts a running or stopped server to sleep until a player joins. Does nothing in other phases. */
  sleep(): Promise<void>;
  restart(): Promise<void>;
  /**
   * `true`: restarts the server once, when nobody is online. Void after any other end of its game process. `false`: no longer. Throws
   * `invalid_state` if the server does not run.
   */
  restartWhenEmpty(isWanted: boolean): Promise<void>;
  kill(): Promise<void>;
  command(line: string): Promise<string>;
  /** Types a line into the console without waiting for an answer. */
  sendLine(line: string): void;
  resize(size: { columns: number; rows: number }): void;
  players(): Promise<Player[]>;
  /** Reads one of the server's lists. Works while it is stopped. Which fields an entry has depends on the list. */
  listedPlayers(list: PlayerList): Promise<(Ban & Operator & AllowedPlayer)[]>;
  /** Who was on the server, also while it is stopped. Newest first, at most 1,000. */
  seenPlayers(): SeenPlayer[];
  /**
   * The players with accounts of Java Edition who are in the server's lists, or were seen and have a UUID in its files; at most 2,000. Works
   * while it is stopped.
   */
  accounts(): Promise<{ name: string; uuid: string }[]>;
  /** Resolves to the server's redacted answer; empty if there was none. */
  playerAction(request: PlayerActionRequest): Promise<string>;
  /** Adds each of these players to the allowlist. Throws `already_in_progress` while others are added. */
  allowPlayers(names: readonly string[]): Promise<AddedPlayers>;
  /**
   * Returns the newest lines, oldest first, without colour codes. With `contains`: the newest matches in the whole log; ends early with
   * `signal`, and throws `rate_limited` if too many searches wait. In both cases about 1 MiB at most.
   */
  logs(query: { lines: number; contains?: string }, signal?: AbortSignal): Promise<string[]>;
  crashes(): Promise<CrashReport[]>;
  /** Returns encoded batches (console-batch.ts): the lines after `after`, up to about `maxBytes`, or the last `tail` lines. */
  readConsole(query: { after: number; maxBytes: number } | { tail: number }): Promise<Uint8Array>;
  /** Yields the live console, one encoded batch per item. */
  console(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Probes the tunnel, unless it was probed in the last seconds. */
  probeTunnel(): Promise<InstanceRuntime>;
  properties(): Promise<{ properties: Record<string, string>; etag: string }>;
  /** Also gives the running server the values that it takes. `effects`: when each changed value is in effect. */
  setProperties(request: {
    properties: Record<string, string>;
    ifMatch?: string;
  }): Promise<{ properties: Record<string, string>; etag: string; effects?: Record<string, Effect> }>;
  /** Asks the running game for the game rules that many owners set. Throws `invalid_state` unless it runs. */
  gamerules(): Promise<Gamerule[]>;
  /**
   * Sets game rules of the running game, and resolves to what it then reports. Throws `invalid_state` unless it runs, and `command_rejected`
   * at the first that it refuses: those before it are set.
   */
  setGamerules(values: SetGamerules['rules']): Promise<Gamerule[]>;
  /**
   * Locks the folder: for a backup (the world of a running server is locked first), or for a change (stopped servers only). The lock ends
   * when `peer` disconnects. `hold`, `renew` and `release` are names of the wire protocol.
   */
  hold(activity: Activity, peer: Peer): Promise<FolderLease>;
  renew(leaseId: string): boolean;
  release(leaseId: string): Promise<void>;
  /** Adds a line of Gamekeeper to the console. */
  notice(text: string): void;
  /**
   * Stops the game gracefully if it runs, then exits. With `withinMs`, which may be less than the instance's own timeout, the game gets a
   * signal early enough to save.
   */
  retire(limits?: { withinMs: number }): Promise<void>;
  /**
   * Leaves a running or sleeping server to the next supervisor, then exits. Once this resolves, this process neither reads nor writes
   * anything of the server. With `signal`, that does not happen after the caller has given up. If it is not possible now, throws
   * `invalid_state`, `already_in_progress` or the reason of a locked folder, and continues.
   */
  handOver(signal?: AbortSignal): Promise<HandedOver>;
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
  restartWhenEmpty: t.procedure
    .input(trusted<boolean>())
    .mutation(({ ctx, input }) => ctx.service.restartWhenEmpty(input)),
  kill: t.procedure.mutation(({ ctx }) => ctx.service.kill()),
  command: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.command(input)),
  sendLine: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.sendLine(input)),
  resize: t.procedure
    .input(trusted<{ columns: number; rows: number }>())
    .mutation(({ ctx, input }) => ctx.service.resize(input)),
  players: t.procedure.query(({ ctx }) => ctx.service.players()),
  listedPlayers: t.procedure.input(trusted<PlayerList>()).query(({ ctx, input }) => ctx.service.listedPlayers(input)),
  seenPlayers: t.procedure.query(({ ctx }) => ctx.service.seenPlayers()),
  accounts: t.procedure.query(({ ctx }) => ctx.service.accounts()),
  playerAction: t.procedure
    .input(trusted<PlayerActionRequest>())
    .mutation(({ ctx, input }) => ctx.service.playerAction(input)),
  allowPlayers: t.procedure
    .input(trusted<readonly string[]>())
    .mutation(({ ctx, input }) => ctx.service.allowPlayers(input)),
  logs: t.procedure
    .input(trusted<{ lines: number; contains?: string }>())
    .query(({ ctx, input, signal }) => ctx.service.logs(input, signal)),
  crashes: t.procedure.query(({ ctx }) => ctx.service.crashes()),
  readConsole: t.procedure
    .input(trusted<{ after: number; maxBytes: number } | { tail: number }>())
    .query(({ ctx, input }) => ctx.service.readConsole(input)),
  console: t.procedure.subscription(({ ctx, signal }) => ctx.service.console(endless(signal))),
  probeTunnel: t.procedure.mutation(({ ctx }) => ctx.service.probeTunnel()),
  properties: t.procedure.query(({ ctx }) => ctx.service.properties()),
  setProperties: t.procedure
    .input(trusted<{ properties: Record<string, string>; ifMatch?: string }>())
    .mutation(({ ctx, input }) => ctx.service.setProperties(input)),
  gamerules: t.procedure.query(({ ctx }) => ctx.service.gamerules()),
  setGamerules: t.procedure
    .input(trusted<SetGamerules['rules']>())
    .mutation(({ ctx, input }) => ctx.service.setGamerules(input)),
  hold: t.procedure.input(trusted<Activity>()).mutation(({ ctx, input }) => ctx.service.hold(input, ctx.peer)),
  renew: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.renew(input)),
  release: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.release(input)),
  notice: t.procedure.input(trusted<string>()).mutation(({ ctx, input }) => ctx.service.notice(input)),
  retire: t.procedure
    .input(trusted<{ withinMs: number } | undefined>())
    .mutation(({ ctx, input }) => ctx.service.retire(input)),
  handOver: t.procedure.mutation(({ ctx, signal }) => ctx.service.handOver(signal)),
});

export type SupervisorRouter = typeof supervisorRouter;

/** tRPC types the signal as optional; our server always passes one. */
function endless(signal: AbortSignal | undefined): AbortSignal {
  return signal ?? new AbortController().signal;
}
