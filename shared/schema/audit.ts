import * as z from 'zod';

const MOST_AT_ONCE = 1_000;

export const auditQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'must be `next` of an earlier answer')
    .transform(Number)
    .pipe(z.int().min(0))
    .optional()
    .describe('Only entries older than this one: `next` of the previous answer'),
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
    .describe('Only what this user did, also with tokens; upper and lower case do not matter'),
  instance: z.string().min(1).max(64).optional().describe('Only entries about this instance'),
});

const auditEntry = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    who: z.string().describe('`user`, `user (token name)`, `command line` or `unknown user`'),
    from: z.string().describe('IP address, `this machine`, or the address of a hosted proxy'),
    method: z
      .string()
      .describe(
        'HTTP method. `WS`: a command typed into a console. `CLI`: a command of the command line. `LINK`: a link was approved at a proxy',
      ),
    path: z.string().describe('Path without the query'),
    instance: z.string().optional(),
    command: z.string().optional().describe('First word of a console command; the rest is not kept'),
    status: z.int().describe('HTTP status: below 400 it was done, else refused'),
    requestId: z.string(),
  })
  .meta({ id: 'AuditEntry' });

export const auditPage = z
  .object({
    entries: z.array(auditEntry).describe('Newest first'),
    next: z.int().nullable().describe('Value of `before` for the next page; null: there are no older entries'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof auditPage>;
