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
});
export type HistoryPoint = z.infer<typeof historyPoint>;

/** There are no points for times at which the server did not run. */
export const history = z
  .object({ range: historyRange, stepSeconds: z.int(), points: z.array(historyPoint) })
  .meta({ id: 'History' });
export type History = z.infer<typeof history>;
