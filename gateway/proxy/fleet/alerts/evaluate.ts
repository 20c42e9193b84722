import { randomUUID } from 'node:crypto';
import type { Presence } from '../../daemons/live-links.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import { type AlertKind, type Condition, conditionsOf, describeAlert, keyOf, type Watched } from './conditions.ts';
import { type AlertChange, messageOf } from './message.ts';
import type { AlertTargets } from './targets.ts';

/** Daemons that vanish within this time count as one event. Seconds. */
const EVENT_S = 30 * 60;
/** From here on it is rather the proxy or its network: of all daemons, and of at least so many. */
const MASS = { share: 0.2, least: 10 };
const AT_ONCE = 500;

export interface EvaluateOptions extends Presence {
  database: Database;
  targets: AlertTargets;
  issuer: string;
  /** Milliseconds. */
  now: () => number;
}

interface WatchedDaemon extends Watched {
  daemonId: string;
}

/** What has begun or ended since the last look. */
interface Change {
  daemon: WatchedDaemon;
  alert: Opened;
  isFiring: boolean;
}

/** Returns a function that finds what has gone wrong or is right again, and queues a message for each address of its account. */
export function createEvaluation(options: EvaluateOptions): () => Promise<void> {
  const { database, targets, issuer, now } = options;

  async function changesOf(accountId: string, isMassEvent: boolean): Promise<Change[]> {
    const at = toSeconds(now());
    const daemons = await watchedOf(database, accountId, { isMassEvent, at });
    const openOfAll = await openOf(database, accountId);
    return daemons.flatMap((daemon) => {
      const open = openOfAll.get(daemon.daemonId) ?? new Map<string, Opened>();
      const wrong = new Map(conditionsOf(daemon, new Set(open.keys()), at).map((alert) => [keyOf(alert), alert]));
      const begun = [...wrong].filter(([key]) => !open.has(key));
      const ended = [...open].filter(([key]) => !wrong.has(key));
      return [
        ...begun.map(([, alert]) => ({ daemon, alert: { ...alert, since: at }, isFiring: true })),
        ...ended.map(([, alert]) => ({ daemon, alert, isFiring: false })),
      ];
    });
  }

  /** Together, so that a replica that dies leaves either both or nothing. */
  async function record(accountId: string, changes: readonly Change[]): Promise<void> {
    const addresses = await targets.ofAccount(accountId);
    await database.transaction().execute(async (transaction) => {
      const noticed: AlertChange[] = [];
      for (const change of changes) if (await isFirst(transaction, change)) noticed.push(shownChange(change));
      if (noticed.length === 0) return;
      const body = JSON.stringify(messageOf(noticed, { at: new Date(now()).toISOString(), issuer }));
      for (const { id } of addresses)
        if (await targets.take(id, transaction))
          await transaction
            .insertInto('alert_message')
            .values({ id: randomUUID(), target_id: id, body, attempts: 0, next_at: toSeconds(now()) })
            .execute();
    });
  }

  return async () => {
    const isMassEvent = await notePresence(options);
    const accounts = await database
      .selectFrom('alert_target')
      .innerJoin('account', 'account.id', 'alert_target.account_id')
      .where('account.disabled', '=', 0)
      .select('account_id')
      .distinct()
      .execute();
    for (const { account_id: accountId } of accounts) {
      const changes = await changesOf(accountId, isMassEvent);
      if (changes.length > 0) await record(accountId, changes);
    }
  };
}

/** Notes which daemons are connected. Resolves to whether very many have vanished lately. */
async function notePresence({ database, connected, now }: EvaluateOptions): Promise<boolean> {
  const at = toSeconds(now());
  const rows = await database.selectFrom('telemetry').select(['daemon_id', 'offline_since']).execute();
  const online = await connected(rows.map(({ daemon_id }) => daemon_id));
  const change = async (ids: string[], offline_since: number | null) => {
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await database
        .updateTable('telemetry')
        .set({ offline_since })
        .where('daemon_id', 'in', ids.slice(from, from + AT_ONCE))
        .execute();
  };
  const returned = rows.filter(({ daemon_id, offline_since }) => offline_since !== null && online.has(daemon_id));
  const vanished = rows.filter(({ daemon_id, offline_since }) => offline_since === null && !online.has(daemon_id));
  await change(
    returned.map(({ daemon_id }) => daemon_id),
    null,
  );
  await change(
    vanished.map(({ daemon_id }) => daemon_id),
    at,
  );
  const lately = rows.filter(
    ({ daemon_id, offline_since }) => !online.has(daemon_id) && (offline_since ?? at) > at - EVENT_S,
  ).length;
  return lately >= MASS.least && lately > MASS.share * rows.length;
}

async function watchedOf(
  database: Database,
  accountId: string,
  { isMassEvent, at }: { isMassEvent: boolean; at: number },
): Promise<WatchedDaemon[]> {
  const rows = await database
    .selectFrom('telemetry')
    .innerJoin('daemon', 'daemon.id', 'telemetry.daemon_id')
    .where('daemon.account_id', '=', accountId)
    .select(['daemon.id', 'daemon.name', 'offline_since', 'detail', 'disk_free', 'disk_total'])
    .execute();
  return rows.map(({ id, name, offline_since, detail, disk_free, disk_total }) => ({
    daemonId: id,
    name,
    offlineSince: offline_since,
    isMuted: isMassEvent && offline_since !== null && offline_since > at - EVENT_S,
    detail: JSON.parse(detail),
    diskFree: disk_free,
    diskTotal: disk_total,
  }));
}

interface Opened extends Condition {
  since: number;
}

async function openOf(database: Database, accountId: string): Promise<Map<string, Map<string, Opened>>> {
  const rows = await database
    .selectFrom('alert')
    .innerJoin('daemon', 'daemon.id', 'alert.daemon_id')
    .where('daemon.account_id', '=', accountId)
    .select(['alert.daemon_id', 'alert.kind', 'alert.subject', 'alert.since'])
    .execute();
  const open = new Map<string, Map<string, Opened>>();
  for (const { daemon_id, kind, subject, since } of rows) {
    const opened = { kind: kind as AlertKind, subject, since };
    open.set(daemon_id, (open.get(daemon_id) ?? new Map()).set(keyOf(opened), opened));
  }
  return open;
}

/** Resolves to false if another replica was faster. */
async function isFirst(database: Database, { daemon: { daemonId }, alert, isFiring }: Change): Promise<boolean> {
  const { kind, subject, since } = alert;
  const row = isFiring
    ? await database
        .insertInto('alert')
        .values({ daemon_id: daemonId, kind, subject, since })
        .onConflict((conflict) => conflict.doNothing())
        .returning('daemon_id')
        .executeTakeFirst()
    : await database
        .deleteFrom('alert')
        .where('daemon_id', '=', daemonId)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .returning('daemon_id')
        .executeTakeFirst();
  return row !== undefined;
}

function shownChange({ daemon, alert: { kind, subject, since }, isFiring }: Change): AlertChange {
  return {
    state: isFiring ? 'firing' : 'resolved',
    kind,
    since: new Date(since * 1000).toISOString(),
    text: describeAlert({ kind, subject }, daemon, isFiring),
    daemonId: daemon.daemonId,
    computer: daemon.name,
    ...(subject !== '' && { instanceId: subject }),
  };
}
