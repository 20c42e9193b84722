import * as z from 'zod';
import { JAVA_VERSIONS } from '../domain/java-version.ts';

/** A Java that Gamekeeper has installed for itself. */
export const runtime = z
  .object({
    javaVersion: z.enum(JAVA_VERSIONS),
    release: z.string().nullable().describe('such as 21.0.9; null: it does not say'),
    sizeBytes: z.int(),
    usedBy: z.array(z.string()).describe('ids of instances, of those that the caller sees'),
  })
  .meta({ id: 'Runtime' });
export type Runtime = z.infer<typeof runtime>;

/** Answer of POST /runtimes/{javaVersion}/update. */
export const runtimeUpdate = z
  .object({
    javaVersion: z.enum(JAVA_VERSIONS),
    release: z.string().describe('The build that servers get from their next start on, such as jdk-21.0.9+10'),
    updated: z.boolean().describe('false: it was the newest already'),
  })
  .meta({ id: 'RuntimeUpdate' });
export type RuntimeUpdate = z.infer<typeof runtimeUpdate>;
