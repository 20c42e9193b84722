import * as z from 'zod';
import { JAVA_VERSIONS } from '../domain/java-version.ts';

/** A Java that Gamekeeper has installed for itself. */
export const runtime = z
  .object({
    javaVersion: z.enum(JAVA_VERSIONS),
    release: z.string().nullable().describe('such as 21.0.9; null: it does not say'),
    sizeBytes: z.int(),
    usedBy: z.array(z.string()).describe('ids of instances'),
  })
  .meta({ id: 'Runtime' });
export type Runtime = z.infer<typeof runtime>;
