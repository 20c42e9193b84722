import type { Selectable } from 'kysely';
import { noteAccessChange } from '../../daemons/access-change.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import type { TunnelRow } from '../../store/edge-schema.ts';
import { releaseName, removeFreeNames } from './names.ts';

/** A tunnel that was not opened for this long is removed. Its name stays with its account for a while. */
const UNUSED_S = 90 * 24 * 60 * 60;
/** Fewer than a statement may have parameters. */
const CHANGED_AT_ONCE = 500;

export type Edition = 'java' | 'bedrock';

/** The address of one server at an edge. */
export interface Tunnel {
  id: string;
  accountId: string;
  daemonId: string;
  instance: string;
  suffix: string;
  label: string;
  edition: Edition;
  udpPort?: number;
  isSuspended: boolean;
}

export interface ListedTunnel extends Tunnel {
  account: string;
  computer: string;
  usedAt: Date;
}

/** The tunnels of all accounts. Those of disabled accounts are not found. */
export interface Tunnels {
  find(daemonId: string, instance: string): Promise<Tunnel | undefined>;
  findByName(suffix: string, label: string): Promise<Tunnel | undefined>;
  /** Resolves to those of these ids that are still there and not suspended. */
  usable(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Notes that these tunnels are open. */
  used(ids: readonly string[]): Promise<void>;
  list(): Promise<ListedTunnel[]>;
  /** Closes a tunnel until `suspend(..., false)`. `name`: the whole host name. Resolves to false if there is no such tunnel. */
  suspend(name: string, isSuspended: boolean): Promise<boolean>;
  /** Resolves to false if there was none. Its name stays with the account for a while. */
  remove(daemonId: string, instance: string): Promise<boolean>;
  /** Removes tunnels and names that nobody uses any more. */
  removeOld(): Promise<void>;
}

export function createTunnels(database: Database, now: () => number): Tunnels {
  const enabled = () =>
    database
      .selectFrom('tunnel')
      .innerJoin('account', 'account.id', 'tunnel.account_id')
      .where('account.disabled', '=', 0);
  const seconds = () => toSeconds(now());

  return {
    async find(daemonId, instance) {
      const row = await enabled()
        .selectAll('tunnel')
        .where('daemon_id', '=', daemonId)
        .where('instance', '=', instance)
        .executeTakeFirst();
      return row && tunnelOf(row);
    },
    async findByName(suffix, label) {
      const row = await enabled()
        .selectAll('tunnel')
        .where('suffix', '=', suffix)
        .where('label', '=', label)
        .executeTakeFirst();
      return row && tunnelOf(row);
    },
    async usable(ids) {
      const rows = ids.length === 0 ? [] : await enabled().select('tunnel.id').where('is_suspended', '=', 0).execute();
      const asked = new Set(ids);
      return new Set(rows.map(({ id }) => id).filter((id) => asked.has(id)));
    },
    async used(ids) {
      for (let from = 0; from < ids.length; from += CHANGED_AT_ONCE)
        await database
          .updateTable('tunnel')
          .set({ used_at: seconds() })
          .where('id', 'in', ids.slice(from, from + CHANGED_AT_ONCE))
          .execute();
    },
    async list() {
      const rows = await database
        .selectFrom('tunnel')
        .innerJoin('account', 'account.id', 'tunnel.account_id')
        .innerJoin('daemon', 'daemon.id', 'tunnel.daemon_id')
        .selectAll('tunnel')
        .select(['account.name as account', 'daemon.name as computer'])
        .orderBy('suffix')
        .orderBy('label')
        .execute();
      return rows.map((row) => ({
        ...tunnelOf(row),
        account: row.account,
        computer: row.computer,
        usedAt: new Date(row.used_at * 1000),
      }));
    },
    suspend: (name, isSuspended) =>
      database.transaction().execute(async (transaction) => {
        const dot = name.indexOf('.');
        const changed = await transaction
          .updateTable('tunnel')
          .set({ is_suspended: isSuspended ? 1 : 0 })
          .where('label', '=', name.slice(0, dot))
          .where('suffix', '=', name.slice(dot + 1))
          .returning('id')
          .execute();
        if (changed.length > 0) await noteAccessChange(transaction);
        return changed.length > 0;
      }),
    remove: (daemonId, instance) =>
      database.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom('tunnel')
          .where('daemon_id', '=', daemonId)
          .where('instance', '=', instance)
          .where('is_suspended', '=', 0) // otherwise removing it would undo the suspension
          .returning(['suffix', 'label'])
          .execute();
        for (const name of removed) await releaseName(transaction, { ...name, now: seconds() });
        if (removed.length > 0) await noteAccessChange(transaction);
        return removed.length > 0;
      }),
    async removeOld() {
      await database
        .deleteFrom('tunnel')
        .where('used_at', '<', seconds() - UNUSED_S)
        .where('is_suspended', '=', 0)
        .execute();
      await removeFreeNames(database, seconds());
    },
  };
}

export function tunnelOf(row: Selectable<TunnelRow>): Tunnel {
  const { id, account_id: accountId, daemon_id: daemonId, instance, suffix, label, udp_port: udpPort } = row;
  return {
    id,
    accountId,
    daemonId,
    instance,
    suffix,
    label,
    edition: row.edition === 'bedrock' ? 'bedrock' : 'java',
    isSuspended: row.is_suspended === 1,
    ...(udpPort !== null && { udpPort }),
  };
}
