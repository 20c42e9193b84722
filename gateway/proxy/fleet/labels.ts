import * as z from 'zod';
import { PRINTABLE_LINE } from '../../../shared/domain/console/invisible-characters.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Database } from '../store/database.ts';

const MOST_LABELS = 16;
/** `region=eu`, `tier=paid`: chosen by the owner, to find and group computers. */
export type Labels = Record<string, string>;

export const labels = z
  .record(
    z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be a lower-case word of at most 32 letters, digits and underscores'),
    z.string().trim().max(64).regex(PRINTABLE_LINE, 'must be one line'),
  )
  .refine((given) => Object.keys(given).length <= MOST_LABELS, `must be at most ${MOST_LABELS}`);

/** Reads `region=eu, tier=paid`. Throws `invalid_request` with what is wrong. */
export function parseLabels(text: string): Labels {
  const pairs = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      return [name.trim(), value.join('=').trim()];
    });
  const { data, error } = labels.safeParse(Object.fromEntries(pairs));
  if (data) return data;
  const [issue] = error.issues;
  const what = issue?.path.length ? `The label "${issue.path.join(' ').slice(0, 64)}"` : 'The labels';
  throw new GamekeeperError('invalid_request', `${what} cannot be used: ${reasonOf(issue)}.`, {
    resolution: 'Write labels such as region=eu, tier=paid.',
  });
}

function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  return issue?.message ?? 'not valid';
}

export function showLabels(given: Labels): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Replaces the labels of a daemon. */
export async function setLabels(database: Database, daemonId: string, given: Labels): Promise<void> {
  const rows = Object.entries(given).map(([name, value]) => ({ daemon_id: daemonId, name, value }));
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('daemon_label').where('daemon_id', '=', daemonId).execute();
    if (rows.length === 0) return;
    await transaction
      .insertInto('daemon_label')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['daemon_id', 'name']).doUpdateSet((row) => ({ value: row.ref('excluded.value') })),
      )
      .execute();
  });
}
