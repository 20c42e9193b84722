import type { Database } from '../store/database.ts';

/** Has every process close the links of daemons that are not registered any more (close-lost-links.ts). Call it in the transaction. */
export async function noteAccessChange(on: Database): Promise<void> {
  await on
    .updateTable('access_change')
    .set(({ eb }) => ({ count: eb('count', '+', 1) }))
    .execute();
}
