import { existsSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { InstanceRecord } from '../../shared/contract/daemon/instances.ts';
import type { HandedOver } from '../../shared/contract/supervisor-boot.ts';
import { type InstanceRuntime, isToRun } from '../../shared/domain/instance/runtime.ts';
import { longestStopMs } from '../../shared/domain/instance/stop-time.ts';
import { GamekeeperError, isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import { retry } from '../../shared/node/primitives/retry.ts';
import { readIntent } from '../../shared/node/processes/intent-record.ts';
import { readLivingGame, readLivingRecord } from '../../shared/node/processes/process-record.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { Registry } from '../instances/registry.ts';
import { PROGRAMS } from '../processes/programs.ts';
import { Attachment, CHANGE_TIMEOUT_MS } from './attachment.ts';
import { lossOf, lostIntent } from './lost-supervisor.ts';
import type { SupervisorPolicy } from './reattach.ts';
import { spawnSupervisor } from './spawn-supervisor.ts';
import { findSupervisor, type SupervisorLink } from './supervisor-link.ts';
import { supervisorScope } from './supervisor-scope.ts';

/** Added to the longest time that a stop can take: a supervisor that needs longer hangs. Milliseconds. */
const STUCK_AFTER_MS = 10_000;

export interface SupervisorsOptions {
  home: Home;
  registry: Registry;
  log: Logger;
  policy: SupervisorPolicy;
  /** Returns how long a new supervisor should wait before it restarts its server, milliseconds; `undefined`: it should not. */
  restartInMs?: (id: string) => number | undefined;
  /** For tests. */
  overrides?: {
    entry?: string;
    scope?: () => Promise<readonly string[]>;
    retireWithinMs?: number;
    heartbeatMs?: number;
  };
}

interface Attached {
  attachment: Attachment;
  /** Resolves when its process is gone and the registry shows that, or the daemon has released it. Never rejects. */
  gone: Promise<void>;
}

/**
 * The supervisors of this daemon, at most one for each instance.
 *
 * | a supervisor | what happens |
 * |---|---|
 * | is needed and none lives | it is started: spawn-supervisor.ts |
 * | of an earlier daemon lives | the daemon reattaches: reattach.ts |
 * | lives | its state and heartbeat are followed: attachment.ts, follow-supervisor.ts, heartbeat.ts |
 * | dies under its server | the server is lost: lost-supervisor.ts; the listeners of `onLost` recover it: recover-server.ts |
 * | is not needed any more | it is retired and exits: `retire`, end-supervisor.ts |
 * | is of another version | it leaves its game to one of this version: `replace`, replace-outdated.ts |
 */
export class Supervisors {
  readonly #options: SupervisorsOptions;
  /** By instance. Pending while a supervisor is being found or started. */
  readonly #attached = new Map<string, Promise<Attached>>();
  readonly #retiring = new Set<string>();
  /** Those whose supervisor leaves its game to the next one. */
  readonly #replacing = new Set<string>();
  readonly #losses = new Map<string, number>();
  readonly #released = new AbortController();
  #lostListener: (id: string) => void = () => undefined;
  #isClosed = false;

  constructor(options: SupervisorsOptions) {
    this.#options = options;
    mkdirSync(`${options.home.logs}/supervisors`, { recursive: true, mode: 0o700 });
  }

  /** Sets a listener for supervisors that died while they were needed. The registry already shows the loss. */
  onLost(listener: (id: string) => void): void {
    this.#lostListener = listener;
  }

  /** Reattaches to every supervisor that an earlier daemon started. Resolves to the ids of their instances. */
  async reattachAll(): Promise<string[]> {
    const ids = this.#options.registry.all().map(({ config }) => config.id);
    const isReattached = await Promise.all(ids.map((id) => this.#reattach(id)));
    return ids.filter((_, index) => isReattached[index]);
  }

  /** Returns the instance's supervisor, and starts one if none lives. Concurrent callers share one start. */
  async ensure(id: string): Promise<SupervisorLink> {
    for (;;) {
      const { attachment, gone } = await this.#attach(id);
      if (this.#isClosed || (await attachment.link.isAlive())) return attachment.link;
      // It has just exited, which is not noticed yet.
      await gone;
    }
  }

  /** Returns the ids of the instances whose supervisor lives or is being started. */
  ids(): string[] {
    return [...this.#attached.keys()];
  }

  /** Returns how often each instance's supervisor died under its server, if it ever did. */
  losses(): { instanceId: string; count: number }[] {
    return Array.from(this.#losses, ([instanceId, count]) => ({ instanceId, count }));
  }

  /** Returns the instance's supervisor if one lives. */
  async find(id: string): Promise<SupervisorLink | undefined> {
    const attached = await this.#find(id);
    return attached && (await attached.attachment.link.isAlive()) ? attached.attachment.link : undefined;
  }

  /**
   * Stops the game gracefully, if one runs, and ends the supervisor. A game without a supervisor gets one first. Does nothing if there is
   * neither. Throws `worker_unavailable` if the supervisor hangs: it is left alone, since its game may depend on it. `withinMs` limits the
   * time for the stop; the default is the server's own limit.
   */
  async retire(id: string, limits?: { withinMs: number }): Promise<void> {
    const { registry, overrides } = this.#options;
    this.#retiring.add(id);
    try {
      const attached = (await this.#find(id)) ?? (await this.#attachToOrphan(id));
      if (!attached) return;
      const { stopTimeoutSeconds } = registry.get(id).config;
      const longestMs = overrides?.retireWithinMs ?? longestStopMs(stopTimeoutSeconds) + STUCK_AFTER_MS;
      const allowedMs = limits?.withinMs ?? longestMs;
      await attached.attachment.retire(attached.gone, { limits, allowedMs });
    } finally {
      this.#retiring.delete(id);
    }
  }

  /** Returns the ids of the instances whose supervisor is needed and may have another version than this daemon. The others end when idle. */
  async outdated(): Promise<string[]> {
    const { registry } = this.#options;
    const ids = this.ids().filter((id) => registry.has(id));
    const isOutdated = await Promise.all(
      ids.map(async (id) => {
        const link = await this.find(id);
        if (!link?.isCompatible || !isNeeded(registry.get(id).runtime)) return false;
        return link.isOutdated().catch(() => true); // it does not answer now
      }),
    );
    return ids.filter((_, index) => isOutdated[index]);
  }

  /**
   * Replaces the supervisor of a running or sleeping server while its game runs. Meanwhile, callers of `ensure` wait. Resolves to the reason if it
   * does not leave, and then it stays; throws if the next one does not serve, and then the server counts as lost.
   */
  async replace(id: string): Promise<GamekeeperError | undefined> {
    const former = this.#attached.get(id);
    if (!former || this.#isClosed || this.#retiring.has(id)) return undefined;
    let refusal: GamekeeperError | undefined;
    const attached = this.#replaceBy(id, former, (error) => {
      refusal = error;
    });
    this.#attached.set(id, attached);
    await attached;
    return refusal;
  }

  /** Sends the instance's supervisor its configuration, if one lives. A supervisor that hangs gets it once it answers. */
  async configure(config: InstanceConfig): Promise<void> {
    const attached = await this.#find(config.id);
    await attached?.attachment.configure(config);
  }

  /** Sends the redaction settings to all supervisors. One that cannot be reached is logged and gets them once it answers. */
  async sendRedaction(): Promise<void> {
    const { policy } = this.#options;
    await this.#sendAll('a supervisor still redacts by the former settings', (call) =>
      call.setRedaction(policy.redaction(), { timeoutMs: CHANGE_TIMEOUT_MS }),
    );
  }

  /** Sends the custom software to all supervisors, in the same way. */
  async sendSoftware(): Promise<void> {
    const { policy } = this.#options;
    await this.#sendAll('a supervisor still uses the former custom software', (call) =>
      call.setSoftware(policy.software(), { timeoutMs: CHANGE_TIMEOUT_MS }),
    );
  }

  /** Resolves once no supervisor is being replaced. */
  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#replacing, (id) => this.#attached.get(id)));
  }

  /** Stops starting supervisors, except for games that have lost theirs. */
  close(): void {
    this.#isClosed = true;
  }

  /** Releases the supervisors. They keep running without this daemon. */
  release(): void {
    this.#released.abort();
  }

  async #find(id: string): Promise<Attached | undefined> {
    return await this.#attached.get(id)?.catch(() => undefined); // the caller who started it gets the failure
  }

  #attach(id: string, { evenIfClosed = false } = {}): Promise<Attached> {
    const known = this.#attached.get(id);
    if (known) return known;
    const attaching = this.#findOrSpawn(id, { evenIfClosed });
    this.#attached.set(id, attaching);
    // The next caller tries again.
    attaching.catch(() => this.#attached.delete(id));
    return attaching;
  }

  /** Resolves to the former supervisor if that refuses, after `onRefusal`. */
  async #replaceBy(
    id: string,
    attached: Promise<Attached>,
    onRefusal: (error: GamekeeperError) => void,
  ): Promise<Attached> {
    const former = await attached;
    const { log } = this.#options;
    this.#replacing.add(id);
    try {
      const handedOver = await this.#askToLeave(id, former);
      return await this.#findOrSpawn(id, { evenIfClosed: true, handedOver });
    } catch (error) {
      const { link } = former.attachment;
      const onFailure = (failure: unknown) =>
        log.warn({ err: failure, instance: id }, 'could not check whether a supervisor is alive');
      const stays = await retry(link.isAlive, { onFailure, signal: this.#released.signal });
      this.#replacing.delete(id);
      if (!stays) {
        await this.#detach(id, link);
        throw error;
      }
      onRefusal(error as GamekeeperError); // a call throws nothing else
      return former;
    } finally {
      this.#replacing.delete(id);
    }
  }

  /** Resolves to what the supervisor has handed over; `undefined` if it has left, but its answer was late. Throws its refusal. */
  async #askToLeave(id: string, { attachment, gone }: Attached): Promise<HandedOver | undefined> {
    try {
      return await attachment.handOver(gone);
    } catch (error) {
      const hasEnded = isGamekeeperError(error, 'worker_unavailable') && (await attachment.exits(gone));
      // Who leaves removes its record; who is killed does not.
      if (hasEnded && !existsSync(this.#options.home.supervisorRecord(id))) return undefined;
      throw error;
    }
  }

  async #findOrSpawn(
    id: string,
    { evenIfClosed, handedOver }: { evenIfClosed: boolean; handedOver?: HandedOver | undefined },
  ): Promise<Attached> {
    const { home, registry, log, policy, overrides } = this.#options;
    const { config, runtime } = registry.get(id);
    const found = await findSupervisor(home, id);
    const link = found ?? (await this.#spawn({ config, runtime }, { evenIfClosed, handedOver }));
    const released = this.#released.signal;
    const options = { home, registry, log, policy, released, heartbeatMs: overrides?.heartbeatMs };
    const attachment = new Attachment(id, link, { ...options, isUpToDate: !found });
    return { attachment, gone: attachment.follow().then(() => this.#detach(id, link)) };
  }

  async #spawn(
    { config, runtime }: Pick<InstanceRecord, 'config' | 'runtime'>,
    { evenIfClosed, handedOver }: { evenIfClosed: boolean; handedOver: HandedOver | undefined },
  ): Promise<SupervisorLink> {
    const { home, policy, restartInMs, overrides } = this.#options;
    const through = await (overrides?.scope ?? (() => supervisorScope(process.env)))();
    if (this.#isClosed && !evenIfClosed) throw new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.');
    const crash = runtime.phase === 'crashed' ? runtime.crash : undefined;
    const intent = await readIntent(home.intentRecord(config.id));
    const restart = restartInMs?.(config.id);
    const boot = {
      config,
      redaction: policy.redaction(),
      software: policy.software(),
      ...(crash && { crash }),
      ...(intent && { intent }),
      ...(restart !== undefined && { restartInMs: restart }),
      ...(handedOver && { handedOver }),
    };
    return spawnSupervisor({ home, boot, entry: overrides?.entry ?? PROGRAMS.supervisor, through });
  }

  /** Runs after a supervisor's process has ended: updates the registry, and reports a server that was lost. */
  async #detach(id: string, { pid }: SupervisorLink): Promise<void> {
    if (this.#replacing.has(id)) return; // the next one takes over
    const { home, registry, log } = this.#options;
    const { signal } = this.#released;
    const intent = await lostIntent(id, { home, registry, log, signal });
    if (signal.aborted) return;
    if (intent === undefined) await rm(home.intentRecord(id), { force: true });
    this.#attached.delete(id);
    if (!registry.has(id)) return;
    if (this.#retiring.has(id) || intent === undefined) {
      registry.detach(id);
      return;
    }
    log.error({ instance: id, pid, intent }, 'a supervisor died under its server');
    this.#losses.set(id, (this.#losses.get(id) ?? 0) + 1);
    registry.detach(id, intent === 'asleep' ? undefined : lossOf(new Date()));
    this.#lostListener(id);
  }

  async #reattach(id: string): Promise<boolean> {
    const { home, registry, log } = this.#options;
    if (!(await readLivingRecord(home.supervisorRecord(id)))) return false;
    const { attachment } = await this.#attach(id);
    const answered = await attachment.reattach();
    const isIdle = answered && !isNeeded(registry.get(id).runtime);
    if (isIdle && (await attachment.link.isOutdated().catch(() => false)))
      // The next start gets a supervisor of this version.
      this.retire(id).catch((error: unknown) =>
        log.warn({ err: error, instance: id }, 'an idle supervisor of another version could not be ended'),
      );
    return true;
  }

  /** Starts a supervisor for a game that runs without one, even while the daemon shuts down. */
  async #attachToOrphan(id: string): Promise<Attached | undefined> {
    const game = await readLivingGame(this.#options.home.gameRecord(id));
    return game && this.#attach(id, { evenIfClosed: true });
  }

  async #sendAll(failure: string, change: Parameters<Attachment['send']>[0]): Promise<void> {
    await Promise.all(
      this.ids().map(async (id) => {
        const attached = await this.#find(id);
        await attached?.attachment
          .send(change)
          .catch((error: unknown) => this.#options.log.error({ err: error, instance: id }, failure));
      }),
    );
  }
}

function isNeeded(runtime: InstanceRuntime): boolean {
  return isToRun(runtime) || runtime.activity !== undefined;
}
