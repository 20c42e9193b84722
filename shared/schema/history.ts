import * as z from 'zod';

/** Length of a chart and of the interval of one point. About the same number of points each. */
export const HISTORY_RANGES = {
  '1h': { spanSeconds: 3_600, stepSeconds: 10 },
  '24h': { spanSeconds: 86_400, stepSeconds: 240 },
  '7d': { spanSeconds: 604_800, stepSeconds: 1_800 },
} as const;
export type HistoryRange = keyof typeof HISTORY_RANGES;

export const historyRange = z.enum(['1h', '24h', '7d']);

const historyPoint = z.object({
  at: z.iso.datetime().describe('Start of the interval'),
  cpuPercent: z.number().optional().describe('Mean; 100 is one core'),
  memoryUsedMb: z.int().optional().describe('Mean'),
  tickTimeMs: z.number().optional().describe('Mean; absent if the server does not report it'),
  playersOnline: z.int().optional().describe('Maximum'),
  diskFreeBytes: z
    .int()
    .optional()
    .describe("Minimum; of the whole disk of the server's folder. Only for callers who may read the server's files"),
});
export type HistoryPoint = z.infer<typeof historyPoint>;

const historyEvent = z.object({
  at: z.iso.datetime(),
  kind: z
    .enum(['start', 'stop', 'sleep', 'crash', 'backup', 'mods'])
    .describe(
      '`start`: start of the game process. `stop`, `sleep`, `crash`: its end. `backup`: a backup was completed. `mods`: mods or plugins were changed',
    ),
});
export type HistoryEvent = z.infer<typeof historyEvent>;

/** There are no points for times at which the server did not run. */
export const history = z
  .object({
    range: historyRange,
    stepSeconds: z.int(),
    until: z.iso.datetime().describe('End of the range: the time of this answer'),
    points: z.array(historyPoint),
    events: z.array(historyEvent).describe('Oldest first; the newest 200 of the range'),
  })
  .meta({ id: 'History' });
export type History = z.infer<typeof history>;
