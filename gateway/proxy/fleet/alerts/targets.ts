import { randomBytes, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import * as z from 'zod';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { type Database, toSeconds } from '../../store/database.ts';
import type { AlertTargetRow } from '../../store/fleet-schema.ts';
import type { Vault } from '../../store/vault.ts';

export const TARGET_KINDS = ['webhook', 'discord'] as const;
const MOST_OF_ACCOUNT = 5;
const MOST_PER_HOUR = 60;
/** To all addresses of an account: an address that is removed and added again must not begin anew. */
const MOST_OF_ACCOUNT_PER_HOUR = MOST_OF_ACCOUNT * MOST_PER_HOUR;
/** After so many messages in a row that could not be delivered, no more are sent until the owner has tested it. */
const MOST_FAILURES = 5;
const SECRET_BYTES = 32;
const HOUR_S = 3_600;

export interface AlertTarget {
  id: string;
  kind: (typeof TARGET_KINDS)[number];
  url: string;
  /** Of Standard Webhooks: `whsec_` and base64. */
  secret: string;
  isPaused: boolean;
  /** How the last attempt went; '' if there was none. */
  result: string;
}

export interface AlertTargets {
  ofAccount(accountId: string): Promise<AlertTarget[]>;
  /** Throws `invalid_state` if the account has too many, `invalid_request` if the URL cannot be used. */
  add(accountId: string, target: { kind: string; url: string }): Promise<AlertTarget>;
  remove(id: string, accountId: string): Promise<void>;
  find(id: string): Promise<AlertTarget | undefined>;
  /** Counts a message. Resolves to false if the target is paused, or it or its account has had enough in this hour. */
  take(id: string, within?: Database): Promise<boolean>;
  /** Notes how an attempt went. */
  note(id: string, outcome: { result: string; failed: boolean }): Promise<void>;
}

export interface AlertTargetsOptions {
  database: Database;
  vault: Vault;
  /** The operator allows addresses of the own network, and http. */
  allowsPrivate: boolean;
  /** Milliseconds. */
  now: () => number;
}

export function createAlertTargets({ database, vault, allowsPrivate, now }: AlertTargetsOptions): AlertTargets {
  const newTarget = z.object({
    kind: z.enum(TARGET_KINDS),
    url: z
      .url({ protocol: allowsPrivate ? /^https?$/ : /^https$/, error: 'The address must be an https URL.' })
      .max(2_048)
      .refine(
        (text) => !URL.parse(text)?.username && !URL.parse(text)?.password,
        'The address must not contain a password.',
      ),
  });

  function toTarget({ id, kind, url, secret, failures, result }: Selectable<AlertTargetRow>): AlertTarget {
    return {
      id,
      kind: kind as AlertTarget['kind'],
      url: vault.open(url, `alert url ${id}`),
      secret: vault.open(secret, `alert secret ${id}`),
      isPaused: failures >= MOST_FAILURES,
      result,
    };
  }

  async function ofAccount(accountId: string): Promise<AlertTarget[]> {
    const rows = await database
      .selectFrom('alert_target')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(toTarget);
  }

  return {
    ofAccount,
    async add(accountId, asked) {
      const { data, error } = newTarget.safeParse(asked);
      if (!data) throw new GamekeeperError('invalid_request', error.issues[0]?.message ?? 'The address is not valid.');
      const id = randomUUID();
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
      await database.transaction().execute(async (transaction) => {
        // Locks the account: two requests must not add the last one at once.
        await transaction.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
        const present = await transaction
          .selectFrom('alert_target')
          .select('id')
          .where('account_id', '=', accountId)
          .execute();
        if (present.length >= MOST_OF_ACCOUNT)
          throw new GamekeeperError(
            'invalid_state',
            `This account has ${MOST_OF_ACCOUNT} addresses for alerts, the maximum.`,
            {
              resolution: 'Remove one that you no longer use.',
            },
          );
        await transaction
          .insertInto('alert_target')
          .values({
            id,
            account_id: accountId,
            kind: data.kind,
            url: vault.seal(data.url, `alert url ${id}`),
            secret: vault.seal(secret, `alert secret ${id}`),
            created_at: toSeconds(now()),
            hour: 0,
            sent: 0,
            failures: 0,
            result: '',
          })
          .execute();
      });
      return { id, ...data, secret, isPaused: false, result: '' };
    },
    async remove(id, accountId) {
      await database.deleteFrom('alert_target').where('id', '=', id).where('account_id', '=', accountId).execute();
    },
    async find(id) {
      const row = await database.selectFrom('alert_target').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toTarget(row);
    },
    async take(id, within = database) {
      const hour = Math.floor(toSeconds(now()) / HOUR_S);
      return (await takeOfAccount(within, id, hour)) && takeOfTarget(within, id, hour);
    },
    async note(id, { result, failed }) {
      await database
        .updateTable('alert_target')
        .set((row) => ({ result, failures: failed ? row('failures', '+', 1) : 0 }))
        .where('id', '=', id)
        .execute();
    },
  };
}

/** The account comes first, as it does when it is removed with its targets: otherwise two transactions could wait for each other. */
async function takeOfAccount(database: Database, id: string, hour: number): Promise<boolean> {
  const rows = await database
    .updateTable('account')
    .set((row) => ({
      alert_count: row
        .case()
        .when('alert_hour', '=', hour)
        .then(row('alert_count', '+', 1))
        .else(1)
        .end(),
      alert_hour: hour,
    }))
    .where('id', '=', (select) =>
      select
        .selectFrom('alert_target')
        .select('account_id')
        .where('id', '=', id)
        .where('failures', '<', MOST_FAILURES)
        .where((row) => row.or([row('hour', '!=', hour), row('sent', '<', MOST_PER_HOUR)])),
    )
    .where((row) => row.or([row('alert_hour', '!=', hour), row('alert_count', '<', MOST_OF_ACCOUNT_PER_HOUR)]))
    .returning('id')
    .execute();
  return rows.length > 0;
}

async function takeOfTarget(database: Database, id: string, hour: number): Promise<boolean> {
  const rows = await database
    .updateTable('alert_target')
    .set((row) => ({
      sent: row
        .case()
        .when('hour', '=', hour)
        .then(row('sent', '+', 1))
        .else(1)
        .end(),
      hour,
    }))
    .where('id', '=', id)
    .where('failures', '<', MOST_FAILURES)
    .where((row) => row.or([row('hour', '!=', hour), row('sent', '<', MOST_PER_HOUR)]))
    .returning('id')
    .execute();
  return rows.length > 0;
}
