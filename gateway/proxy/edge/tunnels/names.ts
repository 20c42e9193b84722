import type { Database } from '../../store/database.ts';

/** A name stays with its account after its tunnel is gone: friends have it in their server lists. Seconds. */
const KEPT_S = 30 * 24 * 60 * 60;

export interface NameOfAccount {
  suffix: string;
  label: string;
  accountId: string;
  /** Seconds since 1970. */
  now: number;
}

/** Takes a name for an account. Resolves to false if another account has it, or had it lately. */
export async function takeName(on: Database, { suffix, label, accountId, now }: NameOfAccount): Promise<boolean> {
  // The condition decides, not what was read before: two accounts may want the same name at once.
  const taken = await on
    .insertInto('tunnel_name')
    .values({ suffix, label, account_id: accountId, free_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(['suffix', 'label'])
        .doUpdateSet({ account_id: accountId, free_at: null })
        .where(({ eb, or }) =>
          or([eb('tunnel_name.account_id', '=', accountId), eb('tunnel_name.free_at', '<=', now)]),
        ),
    )
    .returning('label')
    .execute();
  return taken.length > 0;
}

/** Starts the time after which others can have the name. */
export async function releaseName(
  on: Database,
  { suffix, label, now }: Omit<NameOfAccount, 'accountId'>,
): Promise<void> {
  await on
    .updateTable('tunnel_name')
    .set({ free_at: now + KEPT_S })
    .where('suffix', '=', suffix)
    .where('label', '=', label)
    .where('free_at', 'is', null)
    .execute();
}

/** Forgets names whose time is over, and releases those whose tunnel is gone, for example with its computer. */
export async function removeFreeNames(on: Database, now: number): Promise<void> {
  await on.deleteFrom('tunnel_name').where('free_at', '<=', now).execute();
  await on
    .updateTable('tunnel_name')
    .set({ free_at: now + KEPT_S })
    .where('free_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tunnel')
            .select('tunnel.id')
            .whereRef('tunnel.suffix', '=', 'tunnel_name.suffix')
            .whereRef('tunnel.label', '=', 'tunnel_name.label'),
        ),
      ),
    )
    .execute();
}
