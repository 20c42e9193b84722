import * as z from 'zod';

export const softwareVersions = z
  .object({
    kind: z.string(),
    fetchedAt: z.iso.datetime(),
    ageSeconds: z.int().describe('Since the vendor was asked'),
    stale: z.boolean().describe('The vendor could not be reached: this is its last known answer'),
    versions: z
      .array(
        z.object({
          version: z.string(),
          stable: z.boolean().describe('false for snapshots, betas and the like'),
        }),
      )
      .describe('Newest first'),
  })
  .meta({ id: 'SoftwareVersions' });
export type SoftwareVersions = z.infer<typeof softwareVersions>;
