import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import type { Phase } from '../../shared/domain/phase.ts';
import { type InstanceRuntime, isToRun } from '../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import { readLivingGame, readLivingRecord } from '../../shared/node/processes/process-record.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { Registry } from '../instances/registry.ts';
import { PROGRAMS } from '../processes/programs.ts';
import { endIfAlive } from './end-supervisor.ts';
import { followSupervisor } from './follow-supervisor.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { lossOf } from './lost-supervisor.ts';
import { introduce } from './reattach.ts';
import { spawnSupervisor } from './spawn-supervisor.ts';
import { findSupervisor, type SupervisorLink } from './supervisor-link.ts';
import { supervisorScope } from './supervisor-scope.ts';

/** How long a supervisor whose game has stopped may take to end itself, milliseconds. */
const RETIRED_GRACE_MS = 5_000;
/** Beyond the server's own time for a stop: SIGTERM, SIGKILL and what they leave take 20 s at most; who is not done then hangs. */
const STUCK_AFTER_MS = 30_000;
/** A change waits for the supervisors to take it over, but not for one that hangs. Milliseconds. */
const TELL_TIMEOUT_MS = 2_000;

export interface Supervisors {
  /** Takes over every supervisor that runs already. Resolves to the ids of their instances. */
  reattachAll(): Promise<string[]>;
  /** The instance's supervisor, started if none runs. Callers at the same time share one start. */
  ensure(id: string): Promise<SupervisorLink>;
  /** Instances whose supervisor runs, or is being started. */
  ids(): string[];
  /** How often each instance's supervisor died under its game, where it did. */
  losses(): { instanceId: string; count: number }[];
  /** The instance's supervisor if one runs. */
  find(id: string): Promise<SupervisorLink | undefined>;
  /**
   * Stops the game gracefully if it runs, also one that goes on without a supervisor, then ends its supervisor. Nothing happens where there is neither. Throws `worker_unavailable` for
   * one that hangs: it is left alone, since its game hangs on it. `withinMs` where there is less time than the server may take.
   */
  retire(id: string, limits?: { withinMs: number }): Promise<void>;
  /** Tells the instance's supervisor, if one runs, its configuration. One that hangs is told when it answers again. */
  configure(config: InstanceConfig): Promise<void>;
  /** Tells those that run how to redact from now on. One that cannot be told goes on as before, which the log says. */
  redact(): Promise<void>;
  /** Tells those that run the owner's own kinds of software, in the same way. */
  learn(): Promise<void>;
  /** Starts no more supervisors. */
  close(): void;
  /** Lets go of the supervisors, which go on without this daemon. */
  release(): void;
}

export interface SupervisorsOptions {
  home: Home;
  /** As the settings say now. */
  redaction: () => SupervisorBoot['redaction'];
  /** The owner's own kinds, as their files say now. */
  software: () => SupervisorBoot['software'];
  registry: Registry;
  log: Logger;
  /** A supervisor died under a game, or one that slept; `phase` is its last. The registry shows what has become of it by then. */
  onLost(id: string, phase: Phase): void;
  /** When a supervisor that is started now is to start its server again by itself, milliseconds; `undefined`: it is not. */
  restartInMs?: (id: string) => number | undefined;
  entry?: string;
  /** What a supervisor is started through. */
  scope?: () => Promise<readonly string[]>;
  /** How long after the server's own time for a stop its supervisor counts as stuck, milliseconds. */
  stuckAfterMs?: number;
  /** How often a supervisor is asked whether it answers, milliseconds. */
  heartbeatMs?: number;
}

interface Entry {
  link: SupervisorLink;
  /** Resolves when its process is gone or we let go of it. Never rejects. */
  gone: Promise<void>;
}

export function createSupervisors(options: SupervisorsOptions): Supervisors {
  const {
    home,
    registry,
    log,
    redaction,
    software,
    entry = PROGRAMS.supervisor,
    scope = () => supervisorScope(process.env),
    stuckAfterMs = STUCK_AFTER_MS,
  } = options;
  const { heartbeatMs } = options;
  const entries = new Map<string, Promise<Entry>>();
  const retiring = new Set<string>();
  const losses = new Map<string, number>();
  /** Those that may not know how everything is by now: they are told as soon as they answer. */
  const uninformed = new WeakSet<SupervisorLink>();
  const released = new AbortController();
  let closed = false;
  mkdirSync(`${home.logs}/supervisors`, { recursive: true, mode: 0o700 });

  function enter(id: string, { evenClosed = false } = {}): Promise<Entry> {
    const known = entries.get(id);
    if (known) return known;
    const entering = reattachOrSpawn(id, evenClosed).then((link) => ({ link, gone: follow(id, link) }));
    entries.set(id, entering);
    // A start that failed is tried again by the next who asks.
    entering.catch(() => entries.delete(id));
    return entering;
  }

  async function reattachOrSpawn(id: string, evenClosed: boolean): Promise<SupervisorLink> {
    const { config, runtime } = registry.get(id);
    const running = await findSupervisor(home, id);
    if (running) {
      uninformed.add(running);
      return running;
    }
    const through = await scope();
    if (closed && !evenClosed) throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
    const crash = runtime.phase === 'crashed' ? runtime.crash : undefined;
    const restartInMs = options.restartInMs?.(id);
    const boot = { config, crash, restartInMs, redaction: redaction(), software: software() };
    return spawnSupervisor({ home, ...boot, entry, through });
  }

  /** What can be said of one that cannot be looked at. */
  function unseen(id: string): (error: unknown) => void {
    return (error) => log.warn({ err: error, instance: id }, 'whether a supervisor lives cannot be seen');
  }

  async function follow(id: string, link: SupervisorLink): Promise<void> {
    registry.attach(id, link.socket);
    const observe = (runtime: InstanceRuntime) => {
      registry.observe(id, runtime);
      if (uninformed.has(link)) void inform(id, link); // it goes on, before a heartbeat has noticed
    };
    const over = new AbortController();
    if (link.isCompatible) void listenTo(id, link, AbortSignal.any([released.signal, over.signal]));
    await followSupervisor(link, { observe, onUnseen: unseen(id), signal: released.signal }).catch((error: unknown) =>
      log.error({ err: error, instance: id }, 'a supervisor cannot be followed'),
    );
    over.abort();
    link.client.close();
    // One that was to see to a game that had been left alone may have died before it could say so.
    const left = await retry(() => readLivingGame(home.gameRecord(id)), {
      onFailure: (error) => log.warn({ err: error, instance: id }, 'whether a game was left alone cannot be seen'),
      signal: released.signal,
    });
    if (released.signal.aborted) return;
    entries.delete(id);
    if (!registry.has(id)) return;
    const { runtime } = registry.get(id);
    if (retiring.has(id) || !(isToRun(runtime) || left)) {
      registry.detach(id);
      return;
    }
    const phase = isToRun(runtime) ? runtime.phase : 'running';
    log.error({ instance: id, pid: link.pid }, 'a supervisor died under its server');
    losses.set(id, (losses.get(id) ?? 0) + 1);
    registry.detach(id, phase === 'sleeping' ? undefined : lossOf(new Date()));
    options.onLost(id, phase);
  }

  async function tellAll(otherwise: string, tell: (call: SupervisorLink['client']['call']) => Promise<unknown>) {
    await Promise.all(
      Array.from(entries, async ([id, entering]) => {
        const running = await entering.catch(() => undefined); // One that failed to start needs no word.
        if (!running) return;
        await tell(running.link.client.call).catch((error: unknown) => {
          log.error({ err: error, instance: id }, otherwise);
          if (isUnavailable(error)) uninformed.add(running.link);
        });
      }),
    );
  }

  /** Tells it everything that it may have missed. Resolves to whether it has answered; where it has not, it is told when it does. */
  async function inform(id: string, link: SupervisorLink): Promise<boolean> {
    uninformed.delete(link);
    const answers = await introduce(id, link, options);
    if (!answers) uninformed.add(link);
    return answers;
  }

  /** Shows whether it answers. One that will not any more is ended: it is then lost, and its game taken over or started again. */
  function listenTo(id: string, link: SupervisorLink, signal: AbortSignal): Promise<void> {
    return watchHeartbeat(link, {
      signal,
      ...(heartbeatMs !== undefined && { everyMs: heartbeatMs }),
      onChange(answers) {
        log.warn({ instance: id, pid: link.pid, answers }, 'whether a supervisor answers has changed');
        registry.mark(id, answers ? undefined : 'unresponsive');
        uninformed.add(link);
      },
      onAnswer() {
        if (uninformed.has(link)) void inform(id, link);
      },
      onHung() {
        log.error({ instance: id, pid: link.pid }, 'a supervisor hangs for good and is ended');
        endIfAlive(link, { onUnseen: unseen(id), signal }).catch((error: unknown) =>
          log.error({ err: error, instance: id, pid: link.pid }, 'a supervisor that hangs cannot be ended'),
        );
      },
    });
  }

  /** Takes over one supervisor. */
  async function adopt(id: string): Promise<boolean> {
    if (!(await readLivingRecord(home.supervisorRecord(id)))) return false;
    const { link } = await enter(id);
    const answers = await inform(id, link);
    if (answers && !isNeeded(registry.get(id).runtime) && (await link.isOutdated().catch(() => false)))
      // Nothing goes on in it: the next start is for one of this version.
      retire(id).catch((error: unknown) => log.warn({ err: error, instance: id }, 'an old supervisor stays'));
    return true;
  }

  /** Has a game looked after that goes on without a supervisor, also while everything ends. */
  async function attend(id: string): Promise<Entry | undefined> {
    return (await readLivingGame(home.gameRecord(id))) && enter(id, { evenClosed: true });
  }

  async function endedOrKilled(id: string, { link, gone }: Entry): Promise<void> {
    const ended = gone.then(() => true);
    if (await Promise.race([ended, delay(RETIRED_GRACE_MS, false, { ref: false })])) return;
    await endIfAlive(link, { onUnseen: unseen(id), signal: released.signal });
    await gone;
  }

  async function retire(id: string, limits?: { withinMs: number }): Promise<void> {
    const running = (await entries.get(id)?.catch(() => undefined)) ?? (await attend(id));
    if (!running) return;
    retiring.add(id);
    try {
      if (!running.link.isCompatible) await running.link.client.hello(); // says why it cannot be
      const allowedMs = limits?.withinMs ?? registry.get(id).config.stopTimeoutSeconds * 1000 + stuckAfterMs;
      await running.link.client.call.retire(limits, { timeoutMs: allowedMs }).catch(async (error: unknown) => {
        // It may be gone before its answer is out.
        if (await Promise.race([running.gone.then(() => true), delay(RETIRED_GRACE_MS, false, { ref: false })])) return;
        throw error;
      });
      await endedOrKilled(id, running);
    } finally {
      retiring.delete(id);
    }
  }

  return {
    async reattachAll() {
      const ids = registry.all().map(({ config }) => config.id);
      const adopted = await Promise.all(ids.map(adopt));
      return ids.filter((_, index) => adopted[index]);
    },
    async ensure(id) {
      for (;;) {
        const { link, gone } = await enter(id);
        if (closed || (await link.isAlive())) return link;
        // It has just ended and we have not been told yet.
        await gone;
      }
    },
    ids: () => [...entries.keys()],
    losses: () => Array.from(losses, ([instanceId, count]) => ({ instanceId, count })),
    async find(id) {
      const running = await entries.get(id)?.catch(() => undefined); // One that failed to start does not run.
      return running && (await running.link.isAlive()) ? running.link : undefined;
    },
    retire,
    async configure(config) {
      const running = await entries.get(config.id)?.catch(() => undefined); // One that failed to start needs no word.
      if (!running) return;
      const { link } = running;
      if (registry.get(config.id).runtime.degraded === 'unresponsive') return void uninformed.add(link);
      await link.client.call.configure(config, { timeoutMs: TELL_TIMEOUT_MS }).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        uninformed.add(link);
        log.warn({ err: error, instance: config.id }, 'a supervisor will hear of its configuration later');
      });
    },
    redact: () =>
      tellAll('a supervisor redacts as before', (call) =>
        call.setRedaction(redaction(), { timeoutMs: TELL_TIMEOUT_MS }),
      ),
    learn: () =>
      tellAll('a supervisor knows the kinds of software as they were', (call) =>
        call.setSoftware(software(), { timeoutMs: TELL_TIMEOUT_MS }),
      ),
    close() {
      closed = true;
    },
    release: () => released.abort(),
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code === 'worker_unavailable';
}

function isNeeded(runtime: InstanceRuntime): boolean {
  return isToRun(runtime) || runtime.activity !== undefined;
}
