import type { Logger } from '../../../../shared/node/logger.ts';
import type { Database } from '../../store/database.ts';

const WRITE_EVERY_MS = 10_000;
/** `2026-11` of an ISO time. */
const MONTH_LENGTH = 7;

/** What accounts have sent and received for their players in this month. */
export interface Usage {
  add(accountId: string, bytes: number): void;
  /** Of this month. It may be some seconds old. */
  read(accountId: string): Promise<number>;
  /** Writes what is new. `onWritten` gets each account whose usage has changed, with its total. */
  start(log: Logger, onWritten: (accountId: string, total: number) => void): () => Promise<void>;
}

export function createUsage(database: Database, now: () => number): Usage {
  const unwritten = new Map<string, number>();
  const month = () => new Date(now()).toISOString().slice(0, MONTH_LENGTH);

  async function write(onWritten: (accountId: string, total: number) => void): Promise<void> {
    for (const [accountId, bytes] of unwritten) {
      const row = await database
        .insertInto('tunnel_usage')
        .values({ account_id: accountId, month: month(), bytes })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'month'])
            .doUpdateSet(({ eb }) => ({ bytes: eb('tunnel_usage.bytes', '+', bytes) })),
        )
        .returning('bytes')
        .executeTakeFirstOrThrow();
      // Bytes may have been added while it was written.
      const rest = (unwritten.get(accountId) ?? 0) - bytes;
      if (rest > 0) unwritten.set(accountId, rest);
      else unwritten.delete(accountId);
      onWritten(accountId, Number(row.bytes));
    }
  }

  return {
    add(accountId, bytes) {
      unwritten.set(accountId, (unwritten.get(accountId) ?? 0) + bytes);
    },
    async read(accountId) {
      const row = await database
        .selectFrom('tunnel_usage')
        .select('bytes')
        .where('account_id', '=', accountId)
        .where('month', '=', month())
        .executeTakeFirst();
      return Number(row?.bytes ?? 0) + (unwritten.get(accountId) ?? 0);
    },
    start(log, onWritten) {
      let writing: Promise<void> = Promise.resolve();
      const writeNow = () => {
        writing = writing
          .then(() => write(onWritten))
          .catch((error: unknown) => log.warn({ err: error }, 'the traffic of players could not be noted'));
        return writing;
      };
      const timer = setInterval(writeNow, WRITE_EVERY_MS);
      return () => {
        clearInterval(timer);
        return writeNow();
      };
    },
  };
}
