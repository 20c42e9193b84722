import * as z from 'zod';

const MOST_AT_ONCE = 1_000;

/** Query of GET /api/audit. */
export const auditQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the "next" of an earlier answer')
    .transform(Number)
    .pipe(z.int().min(0))
    .optional()
    .describe('Only entries that are older than this one; "next" of the answer before'),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${MOST_AT_ONCE}`)
    .transform(Number)
    .pipe(z.int().min(1).max(MOST_AT_ONCE))
    .default(100),
  who: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('A user, in any case: what they did themselves and with their tokens'),
  instance: z.string().min(1).max(64).optional().describe('Only what was about this instance'),
});

const auditEntry = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    who: z.string().describe('User, or "user (token name)", "command line" or "unknown user"'),
    from: z.string().describe('Address, or "this machine"'),
    method: z.string().describe('Of HTTP; WS: a command that was typed into a console'),
    path: z.string().describe('Without its query'),
    instance: z.string().optional(),
    command: z.string().optional().describe('First word of a console command; the rest is not kept'),
    status: z.int().describe('Of the answer: below 400 it was done, else refused'),
    requestId: z.string(),
  })
  .meta({ id: 'AuditEntry' });

export const auditPage = z
  .object({
    entries: z.array(auditEntry).describe('Newest first'),
    next: z.int().nullable().describe('For "before", to read on; null: there is nothing older'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof auditPage>;
