import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Logger } from '../../../shared/node/logger.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import type { Database } from '../store/database.ts';

/** A revoked grant closes consoles within a second, whichever replica holds the link. */
const READ_EVERY_MS = 250;

const notice = z.discriminatedUnion('type', [
  /** A daemon was removed, or got another key. */
  z.object({ type: z.literal('daemon-removed'), daemonId: z.string() }),
  z.object({ type: z.literal('grant-revoked'), daemonId: z.string(), grantId: z.string() }),
  /** The daemon has opened another link since. */
  z.object({ type: z.literal('link-replaced'), daemonId: z.string(), linkId: z.string() }),
]);

/** What replicas tell each other about links. */
export type Notice = z.infer<typeof notice>;

export interface NoticesOptions {
  database: Database;
  /** Of this replica. */
  id: string;
  log: Logger;
}

/**
 * Each replica has an inbox in the database. A replica that was stopped, or cut off from the database, reads it when it is back. One that has
 * been forgotten meanwhile closes all its links instead (membership.ts).
 */
export interface Notices {
  /** Reaches all other replicas, as soon as the database works. */
  broadcast(notice: Notice): void;
  /** Calls `onNotice` for each notice until the returned function is called. */
  follow(onNotice: (notice: Notice) => void): () => Promise<void>;
}

export function createNotices({ database, id, log }: NoticesOptions): Notices {
  const unsent: Notice[] = [];
  const sending = createMutex();

  function send(): Promise<void> {
    return sending.run(async () => {
      for (let [next] = unsent; next; [next] = unsent) {
        await sendToOthers(database, { id, notice: next });
        unsent.shift();
      }
    });
  }

  async function read(onNotice: (notice: Notice) => void): Promise<void> {
    const rows = await database.deleteFrom('notice').where('replica_id', '=', id).returning('content').execute();
    for (const { content } of rows) {
      const { data } = notice.safeParse(JSON.parse(content));
      if (data) onNotice(data); // A newer version may know more.
    }
  }

  const failed = (error: unknown) => log.debug({ err: error }, 'notices of replicas could not be exchanged');

  return {
    broadcast(message) {
      unsent.push(message);
      send().catch(failed);
    },
    follow(onNotice) {
      let timer: NodeJS.Timeout | undefined;
      let isStopped = false;
      let reading: Promise<void> | undefined;
      const again = () => {
        if (!isStopped) timer = setTimeout(look, READ_EVERY_MS);
      };
      const look = () => {
        reading = Promise.all([send(), read(onNotice)]).then(again, (error: unknown) => {
          failed(error);
          again();
        });
      };
      look();
      return async () => {
        isStopped = true;
        clearTimeout(timer);
        await reading;
      };
    },
  };
}

async function sendToOthers(database: Database, { id, notice }: { id: string; notice: Notice }): Promise<void> {
  const others = await database.selectFrom('replica').select('id').where('id', '!=', id).execute();
  await putInto(
    database,
    others.map((other) => ({ replicaId: other.id, notice })),
  );
}

/** Puts notices into inboxes. */
export async function putInto(
  database: Database,
  notices: readonly { replicaId: string; notice: Notice }[],
): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ replicaId, notice }) => ({
    id: randomUUID(),
    replica_id: replicaId,
    content: JSON.stringify(notice),
  }));
  await database.insertInto('notice').values(rows).execute();
}
