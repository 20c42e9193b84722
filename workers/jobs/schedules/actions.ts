import { setTimeout as sleep } from 'node:timers/promises';
import type { JobsService } from '../../../shared/contract/jobs.ts';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import { isToRun } from '../../../shared/domain/instance/runtime.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Announcement, ScheduleInput } from '../../../shared/schema/schedule.ts';
import { type Peers, START_TIMEOUT_MS, withSupervisor } from '../resources/peers.ts';
import { knownSoftware } from '../software/known-software.ts';
import { playerCount } from './condition.ts';
import { countdown, inWords } from './countdown.ts';
import type { StoredSchedule } from './schedule-table.ts';

/** A command may take minutes (a flush of a large world). The supervisor's own limit is shorter, and its error says more. Milliseconds. */
const COMMAND_TIMEOUT_MS = 150_000;

/** A restart waits this long for a backup, but not longer: a restart hours later would surprise players. Milliseconds. */
const LONGEST_WAIT_MS = 1_800_000;
const LOOK_EVERY_MS = 1_000;
/** Errors of a supervisor whose folder is locked. */
const LOCKED: readonly ErrorCode[] = ['backup_in_progress', 'already_in_progress'];

export type BackupActions = Pick<JobsService, 'startBackup' | 'startDrill' | 'backups' | 'waitForJob'>;

export interface ActionOptions {
  peers: Peers;
  backups: BackupActions;
}

export type Outcome = { result: 'done'; backupId?: string } | { result: 'skipped'; reason: string };

export interface ActionRun {
  /** Aborted when the process ends. */
  signal: AbortSignal;
  /** Also aborted when the schedule is changed: its countdown then has no effect. */
  countdown: AbortSignal;
}

const DONE: Outcome = { result: 'done' };
const NOT_RUNNING: Outcome = { result: 'skipped', reason: 'The server was not running.' };

export async function act(schedule: StoredSchedule, run: ActionRun, options: ActionOptions): Promise<Outcome> {
  const { instanceId, definition } = schedule;
  const { action } = definition;
  const { daemon } = options.peers;
  const phase = async () => (await daemon.instance(instanceId)).runtime.phase;
  switch (action.type) {
    case 'start':
      if (isLive(await phase())) return { result: 'skipped', reason: 'The server was already running.' };
      await withSupervisor(instanceId, options.peers, ({ call }) =>
        call.start(undefined, { timeoutMs: START_TIMEOUT_MS }),
      );
      return DONE;
    case 'stop':
    case 'restart':
      return stopOrRestart(instanceId, action, run, options);
    case 'command':
      if ((await phase()) !== 'running') return NOT_RUNNING;
      await withSupervisor(instanceId, options.peers, ({ call }) =>
        call.command(action.command, { timeoutMs: COMMAND_TIMEOUT_MS }),
      );
      return DONE;
    case 'backup': {
      const { cloudReplicate } = action;
      return finished(
        await options.backups.startBackup({ instanceId, cloudReplicate, reason: 'schedule' }),
        run,
        options,
      );
    }
    case 'drill': {
      const [newest] = await options.backups.backups({ instanceId, limit: 1 });
      if (!newest) return { result: 'skipped', reason: 'There is no backup to rehearse a restore with.' };
      return finished(await options.backups.startDrill({ instanceId, backupId: newest.backupId }), run, options);
    }
  }
}

async function stopOrRestart(
  instanceId: string,
  { type, announce }: ScheduleInput['action'] & { type: 'stop' | 'restart' },
  { countdown: signal }: ActionRun,
  options: ActionOptions,
): Promise<Outcome> {
  const { daemon } = options.peers;
  const runtime = async () => (await daemon.instance(instanceId)).runtime;
  // A sleeping server, or one that waits for its restart after a crash, has something to stop.
  const hasNothingToDo = async () => (type === 'stop' ? !isToRun(await runtime()) : !isLive((await runtime()).phase));
  if (await hasNothingToDo()) return NOT_RUNNING;
  return withSupervisor(instanceId, options.peers, async ({ call }) => {
    const patience = performance.now() + LONGEST_WAIT_MS;
    // Waits before players are told.
    while (type === 'restart' && (await runtime()).activity !== undefined && performance.now() < patience)
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    const { config, runtime: before } = await daemon.instance(instanceId);
    if (before.phase === 'running' && playerCount(before) !== 0) {
      const template = (await knownSoftware(config.software, daemon))?.announceCommand ?? null;
      const say = async (message: string) => {
        if (template === null) return; // players cannot be told, but the countdown still runs
        await call.command(
          template.replace('{message}', () => message),
          { timeoutMs: COMMAND_TIMEOUT_MS },
        );
      };
      await announceTo(say, type, announce, signal);
    }
    for (;;) {
      if (await hasNothingToDo()) return NOT_RUNNING; // stopped meanwhile
      try {
        await (type === 'stop' ? call.stop() : call.restart());
        return DONE;
      } catch (error) {
        if (!(error instanceof GamekeeperError)) throw error;
        if (type === 'stop' && error.code === 'invalid_state') return NOT_RUNNING; // stopped just now
        // The folder was locked during the countdown.
        if (!LOCKED.includes(error.code) || performance.now() >= patience) throw error;
        await sleep(LOOK_EVERY_MS, undefined, { signal });
      }
    }
  });
}

async function finished(
  { jobId }: { jobId: string },
  { signal }: ActionRun,
  { backups }: ActionOptions,
): Promise<Outcome> {
  const { backupId } = await backups.waitForJob(jobId, signal);
  return { result: 'done', ...(backupId !== undefined && { backupId }) };
}

const TEXT = { stop: 'The server stops in {time}.', restart: 'The server restarts in {time}.' } as const;

/** Announces the remaining time to players until the countdown is over. */
async function announceTo(
  say: (message: string) => Promise<void>,
  type: keyof typeof TEXT,
  { secondsBefore, message = TEXT[type] }: Announcement,
  signal: AbortSignal,
): Promise<void> {
  const { steps, total } = countdown(secondsBefore);
  const begun = performance.now();
  const until = (seconds: number) =>
    sleep(Math.max(0, seconds * 1000 - (performance.now() - begun)), undefined, { signal });
  for (const { after, left } of steps) {
    await until(after);
    // A server that does not respond is restarted all the same.
    await say(message.replaceAll('{time}', inWords(left))).catch(() => undefined);
  }
  await until(total);
}
