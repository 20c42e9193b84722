import * as z from 'zod';
import { JAVA_VERSIONS } from '../domain/java/java-version.ts';

/** A Java version that Gamekeeper has installed. */
export const runtime = z
  .object({
    javaVersion: z.enum(JAVA_VERSIONS),
    release: z.string().nullable().describe('Such as 21.0.9; null: unknown'),
    sizeBytes: z.int(),
    usedBy: z.array(z.string()).describe('Ids of the instances that you can see'),
  })
  .meta({ id: 'Runtime' });
export type Runtime = z.infer<typeof runtime>;

export const runtimeUpdate = z
  .object({
    javaVersion: z.enum(JAVA_VERSIONS),
    release: z.string().describe('The build that servers use from their next start, such as jdk-21.0.9+10'),
    updated: z.boolean().describe('false: it already was the newest'),
  })
  .meta({ id: 'RuntimeUpdate' });
export type RuntimeUpdate = z.infer<typeof runtimeUpdate>;
