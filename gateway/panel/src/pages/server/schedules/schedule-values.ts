import type { NewSchedule, Schedule } from '../../../api/schedules.ts';

export const ACTIONS = ['backup', 'restart', 'start', 'stop', 'command', 'drill'] as const;
export const CONDITIONS = ['always', 'running', 'players', 'empty'] as const;

export interface ScheduleValues {
  name: string;
  type: (typeof ACTIONS)[number];
  command: string;
  cloudReplicate: boolean;
  /** As typed: "300, 60, 10". */
  secondsBefore: string;
  message: string;
  cron: string;
  timeZone: string;
  condition: (typeof CONDITIONS)[number];
  makeUp: boolean;
  graceMinutes: number;
}

/** The daemon's own texts, as players see them. */
export const DEFAULT_WARNINGS = { stop: 'The server stops in {time}.', restart: 'The server restarts in {time}.' };

const EVERY_NIGHT = '0 4 * * *';
const COUNTDOWN = '300, 60, 10';

export function toScheduleValues(schedule: Schedule | undefined): ScheduleValues {
  const action = schedule?.action;
  const announce = action && 'announce' in action ? action.announce : undefined;
  return {
    name: schedule?.name ?? '',
    type: action?.type ?? 'backup',
    command: action?.type === 'command' ? action.command : '',
    cloudReplicate: action?.type === 'backup' ? action.cloudReplicate : true,
    secondsBefore: announce?.secondsBefore.join(', ') ?? COUNTDOWN,
    message: announce?.message ?? '',
    cron: schedule?.cron ?? EVERY_NIGHT,
    timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    condition: schedule?.condition ?? 'always',
    makeUp: schedule?.missed.policy === 'run',
    graceMinutes: schedule?.missed.graceMinutes ?? 60,
  };
}

/** Returns the schedule that the form describes. `of`: the schedule being edited. */
export function fromScheduleValues(values: ScheduleValues, of: Schedule | undefined): NewSchedule {
  const { name, cron, timeZone, condition, makeUp, graceMinutes } = values;
  return {
    ...(of && { id: of.id }),
    ...(of?.paused !== undefined && { resume: true }),
    name,
    enabled: of?.enabled ?? true,
    cron,
    timeZone,
    condition,
    missed: { policy: makeUp ? 'run' : 'skip', graceMinutes },
    action: actionOf(values),
  };
}

function actionOf({ type, command, cloudReplicate, secondsBefore, message }: ScheduleValues): NewSchedule['action'] {
  switch (type) {
    case 'command':
      return { type, command };
    case 'backup':
      return { type, cloudReplicate };
    case 'stop':
    case 'restart':
      return {
        type,
        announce: {
          secondsBefore: (secondsBefore.match(/\d+/g) ?? []).map(Number),
          ...(message.trim() !== '' && { message: message.trim() }),
        },
      };
    default:
      return { type };
  }
}
