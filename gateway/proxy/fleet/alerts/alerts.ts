import { randomUUID } from 'node:crypto';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../../shared/node/logger.ts';
import type { Presence } from '../../daemons/live-links.ts';
import type { Database } from '../../store/database.ts';
import type { Vault } from '../../store/vault.ts';
import { createDelivery } from './deliver.ts';
import { createEvaluation } from './evaluate.ts';
import { messageOf, requestOf } from './message.ts';
import { send } from './send.ts';
import { type AlertTargets, createAlertTargets } from './targets.ts';

const EVALUATE_EVERY_MS = 30_000;
const DELIVER_EVERY_MS = 5_000;

/** Tells people when something is wrong with their computers. */
export interface Alerts {
  targets: AlertTargets;
  /** Sends a test message at once, also to an address that is paused. Throws `route_not_found`, or `rate_limited` after too many. */
  test(id: string, accountId: string): Promise<void>;
  /** Looks and sends from now on. Returns how to stop. */
  start(log: Logger): () => void;
}

export interface AlertsOptions {
  database: Database;
  vault: Vault;
  links: Presence;
  issuer: string;
  allowsPrivate: boolean;
  /** Milliseconds. */
  now: () => number;
}

export function createAlerts({ database, vault, links, issuer, allowsPrivate, now }: AlertsOptions): Alerts {
  const targets = createAlertTargets({ database, vault, allowsPrivate, now });
  return {
    targets,
    async test(id, accountId) {
      const target = (await targets.ofAccount(accountId)).find((one) => one.id === id);
      if (!target) throw new GamekeeperError('route_not_found', 'This account has no such address for alerts.');
      if (target.isPaused) await targets.note(id, { result: target.result, failed: false });
      if (!(await targets.take(id)))
        throw new GamekeeperError('rate_limited', 'Too many messages to this address in this hour.', {
          retryAfterSeconds: 600,
        });
      const since = new Date(now()).toISOString();
      const text = 'This is a test. Alerts of your computers will arrive here.';
      const message = messageOf([{ state: 'firing', kind: 'test', since, text }], { at: since, issuer });
      const request = requestOf(target, { id: randomUUID(), message, now: now() });
      const { delivered, result } = await send({ url: target.url, ...request, allowsPrivate });
      await targets.note(id, { result, failed: !delivered });
    },
    start(log) {
      const evaluate = createEvaluation({ database, targets, issuer, now, connected: (ids) => links.connected(ids) });
      const deliver = createDelivery({
        database,
        targets,
        send: (request) => send({ ...request, allowsPrivate }),
        log,
        now,
      });
      const stops = [
        repeat(evaluate, { everyMs: EVALUATE_EVERY_MS, log }),
        repeat(deliver, { everyMs: DELIVER_EVERY_MS, log }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Waits before each run, the first one as well: after a start, daemons need a moment to connect. */
function repeat(work: () => Promise<void>, { everyMs, log }: { everyMs: number; log: Logger }): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const run = async () => {
    await work().catch((error: unknown) => log.warn({ err: error }, 'alerts could not be processed'));
    if (!stopped) timer = setTimeout(run, everyMs);
  };
  timer = setTimeout(run, everyMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
