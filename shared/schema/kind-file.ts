import * as z from 'zod';

/** Eggs have at most a few hundred kilobytes. In characters. */
const LONGEST_KIND_FILE = 512 * 1024;

export const kindFile = z
  .strictObject({ text: z.string().min(1).max(LONGEST_KIND_FILE).describe('Content of the file') })
  .meta({ id: 'KindFile' });
export type KindFile = z.infer<typeof kindFile>;

export const checkedKind = z
  .object({
    kind: z.string(),
    title: z.string(),
    text: z.string().describe('The file of the kind, in JSON, as POST /software saves it'),
    notes: z.array(z.string()).describe('What could not be taken over, or was assumed'),
    scripts: z
      .array(z.object({ title: z.string(), text: z.string() }))
      .describe('Scripts of the original. They are never run'),
    problem: z.string().optional().describe('Why it cannot be saved: the key and what is wrong with it'),
  })
  .meta({ id: 'CheckedKind' });
export type CheckedKind = z.infer<typeof checkedKind>;
