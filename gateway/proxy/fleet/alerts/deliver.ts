import type { Logger } from '../../../../shared/node/logger.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import { type AlertMessage, requestOf } from './message.ts';
import type { Delivery, SendOptions } from './send.ts';
import type { AlertTargets } from './targets.ts';

const MOST_AT_ONCE = 64;
/** A replica that dies while it sends leaves the message to others after this time. Seconds. */
const CLAIMED_S = 60;
const FIRST_RETRY_S = 30;
const MOST_ATTEMPTS = 6;

export interface DeliveryOptions {
  database: Database;
  targets: AlertTargets;
  send: (request: Omit<SendOptions, 'allowsPrivate'>) => Promise<Delivery>;
  log: Pick<Logger, 'warn'>;
  /** Milliseconds. */
  now: () => number;
}

/** Returns a function that delivers what is due. It resolves when that is done; calls at the same time share the work. */
export function createDelivery({ database, targets, send, log, now }: DeliveryOptions): () => Promise<void> {
  /** Targets that are being sent to: one that is slow must not take the places of others. */
  const busy = new Set<string>();

  async function deliverTo(targetId: string, { id, body, attempts }: Due): Promise<void> {
    const target = await targets.find(targetId);
    if (!target) return; // Removed, with its messages.
    const request = requestOf(target, { id, message: JSON.parse(body) as AlertMessage, now: now() });
    const { delivered, result, retryAfter = 0 } = await send({ url: target.url, ...request });
    const isLast = attempts >= MOST_ATTEMPTS;
    if (delivered || isLast) {
      await database.deleteFrom('alert_message').where('id', '=', id).execute();
      await targets.note(targetId, { result, failed: !delivered });
      return;
    }
    const wait = Math.max(FIRST_RETRY_S * 2 ** (attempts - 1), retryAfter);
    await database
      .updateTable('alert_message')
      .set({ next_at: toSeconds(now()) + Math.ceil(wait) })
      .where('id', '=', id)
      .execute();
  }

  async function claim(id: string, nextAt: number): Promise<Due | undefined> {
    return (
      database
        .updateTable('alert_message')
        .set((row) => ({ next_at: toSeconds(now()) + CLAIMED_S, attempts: row('attempts', '+', 1) }))
        .where('id', '=', id)
        // Another replica has not been faster.
        .where('next_at', '=', nextAt)
        .returning(['id', 'body', 'attempts'])
        .executeTakeFirst()
    );
  }

  return async () => {
    const due = await database
      .selectFrom('alert_message')
      .innerJoin('alert_target', 'alert_target.id', 'alert_message.target_id')
      .innerJoin('account', 'account.id', 'alert_target.account_id')
      .where('account.disabled', '=', 0)
      .select(['alert_message.id', 'target_id', 'next_at'])
      .where('next_at', '<=', toSeconds(now()))
      .orderBy('next_at')
      .limit(1_000)
      .execute();
    await Promise.all(
      due.map(async ({ id, target_id, next_at }) => {
        if (busy.has(target_id) || busy.size >= MOST_AT_ONCE) return;
        busy.add(target_id);
        try {
          const claimed = await claim(id, next_at);
          if (claimed) await deliverTo(target_id, claimed);
        } catch (error) {
          log.warn({ err: error }, 'an alert could not be sent');
        } finally {
          busy.delete(target_id);
        }
      }),
    );
  };
}

interface Due {
  id: string;
  body: string;
  /** This one included. */
  attempts: number;
}
