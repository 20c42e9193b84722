import * as z from 'zod';
import { INSTANCE_ID_PATTERN } from '../../domain/instance/instance-id.ts';
import { PHASES } from '../../domain/instance/phase.ts';
import { displayName } from '../../schema/printable-line.ts';

/** Instances in one report; the others are counted. */
export const MOST_REPORTED = 100;
/** UTF-8 bytes of a report: enough for the longest names. */
const MOST_REPORT_BYTES = 64 * 1024;
/** A daemon reports at least this often. Milliseconds. */
export const REPORT_EVERY_MS = 5 * 60_000;

const count = z.int().min(0).max(1_000_000);
const seconds = z.int().min(0).max(10_000_000_000);
const bytes = z
  .int()
  .min(0)
  .max(2 ** 53 - 1);
const percent = z.number().min(0).max(1_000_000);

const reportedInstance = z.object({
  id: z.string().regex(INSTANCE_ID_PATTERN),
  name: displayName,
  software: displayName,
  phase: z.enum(PHASES),
  players: count.optional(),
  maxPlayers: count.optional(),
  /** 100 is one core. */
  cpuPercent: percent.optional(),
  memoryBytes: bytes.optional(),
  /** Seconds since the last good backup; absent if there is none. */
  backupAge: seconds.optional(),
  /** Seconds since it was created. */
  age: seconds,
});
export type ReportedInstance = z.infer<typeof reportedInstance>;

/** The state of a daemon. Times are ages, so that its clock does not matter. */
const report = z.object({
  type: z.literal('telemetry'),
  version: z.string().regex(/^[0-9A-Za-z.+-]{1,32}$/),
  /** `degraded`: one of its processes does not answer, or an instance can only be controlled in part. */
  health: z.enum(['ok', 'degraded']),
  /** Of the whole machine: 100 is all cores. */
  cpuPercent: percent,
  memory: z.object({ usedBytes: bytes, totalBytes: bytes }),
  /** The disk with the data directory. */
  disk: z.object({ freeBytes: bytes, totalBytes: bytes }).optional(),
  instances: z.array(reportedInstance).max(MOST_REPORTED),
  /** Instances that are not in the list. */
  moreInstances: count,
});
export type TelemetryReport = z.infer<typeof report>;

const fromDaemon = z.discriminatedUnion('type', [
  report,
  /** The owner does not allow reports: forget earlier ones. */
  z.object({ type: z.literal('telemetry-off') }),
]);
/** What a daemon tells its proxy: a text message of the link, in JSON. */
export type TelemetryMessage = z.infer<typeof fromDaemon>;

/** Returns the message, or `undefined` for one that is too long or that this version does not know. */
export function parseTelemetry(text: Buffer): TelemetryMessage | undefined {
  if (text.length > MOST_REPORT_BYTES) return undefined;
  try {
    return fromDaemon.safeParse(JSON.parse(text.toString())).data;
  } catch {
    return undefined;
  }
}
