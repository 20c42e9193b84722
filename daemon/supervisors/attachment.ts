import { setTimeout as delay } from 'node:timers/promises';
import type { HandedOver } from '../../shared/contract/supervisor-boot.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import { isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import type { Logger } from '../../shared/node/logger.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import type { Registry } from '../instances/registry.ts';
import { killIfAlive } from './end-supervisor.ts';
import { followSupervisor } from './follow-supervisor.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { reattach, type SupervisorPolicy } from './reattach.ts';
import type { SupervisorLink } from './supervisor-link.ts';

/** A change waits for the supervisors to apply it, but not for one that hangs. Milliseconds. */
export const CHANGE_TIMEOUT_MS = 2_000;
/** Without the answer, the next supervisor does not know who plays, nor what the game was told. A flood keeps a supervisor busy. Milliseconds. */
const HAND_OVER_TIMEOUT_MS = 10_000;
/** How long a retired supervisor may take to exit, milliseconds. */
const EXIT_GRACE_MS = 5_000;

export interface AttachmentOptions {
  home: Home;
  registry: Registry;
  log: Logger;
  policy: SupervisorPolicy;
  /** Fires when the daemon releases its supervisors. */
  released: AbortSignal;
  heartbeatMs: number | undefined;
}

/** The daemon's connection to one living supervisor: follows its state, checks its heartbeat, and keeps it up to date. */
export class Attachment {
  readonly link: SupervisorLink;
  readonly #id: string;
  readonly #options: AttachmentOptions;
  /** False while it may have missed a change. As soon as it answers, everything is sent again. */
  #isUpToDate: boolean;

  constructor(id: string, link: SupervisorLink, options: AttachmentOptions & { isUpToDate: boolean }) {
    this.#id = id;
    this.link = link;
    this.#options = options;
    this.#isUpToDate = options.isUpToDate;
    options.registry.attach(id, link.socket);
  }

  /** Follows the supervisor. Resolves when its process is gone or the daemon releases it. Never rejects. Call it once. */
  async follow(): Promise<void> {
    const { log, released } = this.#options;
    const over = new AbortController();
    if (this.link.isCompatible) void this.#watchHeartbeat(AbortSignal.any([released, over.signal]));
    await followSupervisor(this.link, {
      observe: (runtime) => this.#observe(runtime),
      onUnknown: (error) => this.#warnUnknown(error),
      signal: released,
    }).catch((error: unknown) => log.error({ err: error, instance: this.#id }, 'a supervisor cannot be followed'));
    over.abort();
    this.link.client.close();
  }

  /** Sends everything the supervisor may have missed. Resolves to whether it answered. */
  async reattach(): Promise<boolean> {
    this.#isUpToDate = true;
    const answered = await reattach(this.#id, this.link, this.#options);
    if (!answered) this.#isUpToDate = false;
    return answered;
  }

  /** Sends a change. Rejects with the supervisor's refusal, or with `worker_unavailable`; then the change is sent again once it answers. */
  async send(change: (call: SupervisorLink['client']['call']) => Promise<unknown>): Promise<void> {
    try {
      await change(this.link.client.call);
    } catch (error) {
      if (isUnavailable(error)) this.#isUpToDate = false;
      throw error;
    }
  }

  /** Sends its configuration. Rejects only with a refusal. */
  async configure(config: InstanceConfig): Promise<void> {
    const { registry, log } = this.#options;
    if (registry.get(this.#id).runtime.degraded === 'unresponsive') {
      this.#isUpToDate = false;
      return;
    }
    try {
      await this.send((call) => call.configure(config, { timeoutMs: CHANGE_TIMEOUT_MS }));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error, instance: this.#id }, 'a supervisor gets its configuration once it answers');
    }
  }

  /**
   * Tells the supervisor to stop its game and exit. `gone` resolves when its process is gone. Rejects with `worker_unavailable` if it does
   * not answer within `allowedMs`. It is not killed then, since its game may depend on it.
   */
  async retire(
    gone: Promise<void>,
    { limits, allowedMs }: { limits?: { withinMs: number } | undefined; allowedMs: number },
  ): Promise<void> {
    if (!this.link.isCompatible) await this.link.client.hello(); // rejects, and names the version that can
    try {
      await this.link.client.call.retire(limits, { timeoutMs: allowedMs });
    } catch (error) {
      // It may exit before its answer is sent.
      if (await this.exits(gone)) return;
      throw error;
    }
    await this.#untilGone(gone);
  }

  /**
   * Tells the supervisor to leave its game to the next one. Resolves when it is gone, to what it has handed over. Throws its refusal, or
   * `worker_unavailable`; it stays then, or has died.
   */
  async handOver(gone: Promise<void>): Promise<HandedOver> {
    const handedOver = await this.link.client.call.handOver(undefined, { timeoutMs: HAND_OVER_TIMEOUT_MS });
    await this.#untilGone(gone);
    return handedOver;
  }

  /** Resolves to whether its process is gone soon. */
  exits(gone: Promise<void>): Promise<boolean> {
    return Promise.race([gone.then(() => true), delay(EXIT_GRACE_MS, false, { ref: false })]);
  }

  /** Waits for the exit of a supervisor that has nothing to do any more. */
  async #untilGone(gone: Promise<void>): Promise<void> {
    if (await this.exits(gone)) return;
    await this.#kill(this.#options.released);
    await gone;
  }

  #observe(runtime: InstanceRuntime): void {
    this.#options.registry.observe(this.#id, runtime);
    // A supervisor that hung may resume before a heartbeat fails.
    if (!this.#isUpToDate) void this.reattach();
  }

  #watchHeartbeat(signal: AbortSignal): Promise<void> {
    const { registry, log, heartbeatMs } = this.#options;
    const details = { instance: this.#id, pid: this.link.pid };
    return watchHeartbeat(this.link, {
      signal,
      ...(heartbeatMs !== undefined && { everyMs: heartbeatMs }),
      onChange: (answers) => {
        log.warn(details, answers ? 'a supervisor answers again' : 'a supervisor does not answer');
        registry.mark(this.#id, answers ? undefined : 'unresponsive');
        this.#isUpToDate = false;
      },
      onAnswer: () => {
        if (!this.#isUpToDate) void this.reattach();
      },
      // A killed supervisor counts as lost, so its game is recovered or started again.
      onHung: () => {
        log.error(details, 'a supervisor has not answered for over a minute and is killed');
        this.#kill(signal).catch((error: unknown) =>
          log.error({ ...details, err: error }, 'a supervisor that does not answer could not be killed'),
        );
      },
    });
  }

  #kill(signal: AbortSignal): Promise<void> {
    return killIfAlive(this.link, { onUnknown: (error) => this.#warnUnknown(error), signal });
  }

  #warnUnknown(error: unknown): void {
    this.#options.log.warn({ err: error, instance: this.#id }, 'could not check whether a supervisor is alive');
  }
}

function isUnavailable(error: unknown): boolean {
  return isGamekeeperError(error, 'worker_unavailable');
}
