import * as z from 'zod';

const bytes = z.int().min(0);

export const hostState = z
  .object({
    cpuPercent: z.number().describe('All cores together, since the request before'),
    memory: z.object({ usedBytes: bytes, totalBytes: bytes }),
    disk: z
      .object({ freeBytes: bytes, totalBytes: bytes })
      .optional()
      .describe('Of the data directory; absent if it cannot be read'),
    backups: z
      .array(z.object({ instanceId: z.string(), createdAt: z.iso.datetime() }))
      .optional()
      .describe('The newest good backup of each instance that has one; absent if they cannot be read'),
    pausedSchedules: z
      .array(z.string())
      .optional()
      .describe('Instances with a schedule that does not run although it is enabled; absent if they cannot be read'),
  })
  .meta({ id: 'HostState' });
export type HostState = z.infer<typeof hostState>;
