import * as z from 'zod';
import { INSTANCE_ID_PATTERN } from '../domain/instance/instance-id.ts';
import {
  PAUSE_REASONS,
  RUN_RESULTS,
  SCHEDULE_ACTIONS,
  SCHEDULE_CONDITIONS,
  type ScheduleActionType,
} from '../domain/schedule.ts';
import { displayName } from './printable-line.ts';

const MOST_SCHEDULES = 50;
/** Minecraft's own limit for a command over RCON. */
const MAX_COMMAND_LENGTH = 1_446;
const HOUR_SECONDS = 3_600;

const oneLine = z.string().regex(/^[^\p{Cc}]*$/u, 'must be one line without control characters');

const announcement = z
  .strictObject({
    secondsBefore: z
      .array(z.int().min(1).max(HOUR_SECONDS))
      .max(20)
      .default([300, 60, 10])
      .describe(
        'Seconds before the action at which players are warned. The run begins with the first warning. Empty: no warning',
      ),
    message: oneLine.min(1).max(200).optional().describe('The warning; {time} is replaced by the time left'),
  })
  .meta({ id: 'ScheduleAnnouncement' });
export type Announcement = z.infer<typeof announcement>;

const action = <Type extends ScheduleActionType, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z
    .strictObject({ type: z.literal(type), ...shape })
    .meta({ id: `Scheduled${type.charAt(0).toUpperCase()}${type.slice(1)}` });

const scheduleAction = z
  .discriminatedUnion('type', [
    action('start', {}),
    action('stop', { announce: announcement.prefault({}) }),
    action('restart', { announce: announcement.prefault({}) }),
    action('backup', { cloudReplicate: z.boolean().default(true) }),
    action('command', { command: oneLine.min(1).max(MAX_COMMAND_LENGTH) }),
    action('drill', {}).describe('Tests a restore of the newest backup'),
  ])
  .meta({ id: 'ScheduleAction' });
export type ScheduleAction = z.infer<typeof scheduleAction>;

/** What happens to runs that were due while Gamekeeper did not run. */
const missedRuns = z
  .strictObject({
    policy: z.enum(['skip', 'run']).default('skip').describe('`run`: run once, as soon as possible'),
    graceMinutes: z.int().min(1).max(10_080).default(60).describe('Runs that are later than this are skipped anyway'),
  })
  .meta({ id: 'MissedRuns' });

const scheduleId = z
  .string()
  .regex(INSTANCE_ID_PATTERN, 'must be 1 to 32 lower-case letters, digits and dashes, and not start with a dash');

const scheduleRun = z
  .object({
    scheduleId,
    name: z.string(),
    action: z.enum(SCHEDULE_ACTIONS),
    plannedAt: z.iso.datetime(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().optional(),
    result: z.enum(RUN_RESULTS),
    reason: z.string().optional(),
    backupId: z.string().optional(),
  })
  .meta({ id: 'ScheduleRun' });
export type ScheduleRun = z.infer<typeof scheduleRun>;

const definition = {
  name: displayName,
  enabled: z.boolean().default(true),
  cron: z
    .string()
    .trim()
    .max(100)
    .regex(/^\S+(?:\s+\S+){4}$/, 'must be five fields: minute, hour, day of the month, month, day of the week')
    .describe('Minute, hour, day of the month, month, day of the week'),
  timeZone: z.string().min(1).max(64).optional().describe('IANA name. Default: the time zone of the machine'),
  action: scheduleAction,
  condition: z.enum(SCHEDULE_CONDITIONS).default('always').describe('A run is skipped if this is not met'),
  missed: missedRuns.prefault({}),
};

/** Additional fields of answers. PUT accepts and ignores them, so that an answer can be changed and sent back. */
const observed = {
  savedBy: z.string().optional().describe('Whose rights it uses: `user`, or `user (token name)`'),
  savedAt: z.iso.datetime().optional(),
  paused: z.string().optional().describe('Why it does not run although it is enabled, in words'),
  pauseReason: z.enum(PAUSE_REASONS).optional().describe('The same for programs'),
  nextRuns: z.array(z.iso.datetime()).optional().describe('The next five runs, as far as they come within ten years'),
  lastRun: scheduleRun.optional(),
};

/** A schedule in a request. Without an id it is new. */
const scheduleInput = z
  .strictObject({
    id: scheduleId.optional(),
    ...definition,
    ...observed,
    resume: z
      .boolean()
      .optional()
      .describe('`true`: run with your rights from now on, even if nothing else is changed. Resumes a paused schedule'),
  })
  .meta({ id: 'NewSchedule' });
export type ScheduleInput = z.infer<typeof scheduleInput>;

const schedule = z
  .object({ id: scheduleId, ...definition, timeZone: z.string(), ...observed })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof schedule>;

export const setSchedules = z
  .strictObject({
    schedules: z
      .array(scheduleInput)
      .max(MOST_SCHEDULES)
      .refine(
        (list) => {
          const ids = list.flatMap(({ id }) => id ?? []);
          return new Set(ids).size === ids.length;
        },
        { error: 'must not have the same id twice' },
      ),
  })
  .meta({ id: 'SetSchedules' });

export const scheduleList = z.object({ schedules: z.array(schedule) }).meta({ id: 'Schedules' });

/** Newest first. */
export const scheduleHistory = z.object({ runs: z.array(scheduleRun) }).meta({ id: 'ScheduleHistory' });
