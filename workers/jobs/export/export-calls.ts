import type { JobsService } from '../../../shared/contract/jobs.ts';
import { isLive } from '../../../shared/domain/phase.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { EXPORT_MANIFEST, type ExportManifest } from '../../../shared/schema/export.ts';
import { toConfiguration } from '../../../shared/schema/instance-configuration.ts';
import type { JobQueue } from '../queue/queue.ts';
import { type FolderLockParts, lockFolder } from '../resources/folder-lease.ts';
import type { Pool } from '../resources/pool.ts';

/** A server that runs does not save its world meanwhile: as long as this, however slow whoever downloads is. Milliseconds. */
const LONGEST_HOLD_MS = 600_000;
/** One that is stopped cannot be started meanwhile: long enough for 100 GB on a line of 20 Mbit/s, and not for days. Milliseconds. */
const LONGEST_HOLD_STOPPED_MS = 43_200_000;

export interface ExportParts extends FolderLockParts {
  pool: Pool;
  queue: JobQueue;
  now(): Date;
}

/** Servers to be taken elsewhere. */
export function exportCalls(parts: ExportParts): Pick<JobsService, 'startExport'> {
  const { peers, pool, queue, now } = parts;
  return {
    async startExport({ instanceId, socket }) {
      const { config, runtime } = await peers.daemon.instance(instanceId);
      return queue.add({
        kind: 'export',
        instanceId,
        // It is as slow as its reader, and backups should not wait for that.
        queued: false,
        async work(run) {
          const { progress } = run.phase(0);
          const held = await lockFolder({ instanceId, activity: 'backing-up', signal: run.signal }, parts);
          const patience = endOfPatience(instanceId, isLive(runtime.phase));
          try {
            const ends = [run.signal, held.lost, patience.signal];
            const at = now();
            const content: Omit<ExportManifest, 'fileCount' | 'leftOut' | 'changedFiles'> = {
              format: 'gamekeeper-export',
              formatVersion: 1,
              madeBy: VERSION,
              exportedAt: at.toISOString(),
              software: config.software,
              settings: toConfiguration(config),
              quiesced: await held.isStill(),
            };
            const manifest = { name: EXPORT_MANIFEST, content, at: at.getTime() };
            const task = { source: config.directory, socket, manifest, progress: progress.memory };
            await pool.run('exportFolder', task, AbortSignal.any(ends));
          } finally {
            patience.forget();
            await held.release();
          }
        },
      });
    },
  };
}

function endOfPatience(instanceId: string, isRunning: boolean): { signal: AbortSignal; forget(): void } {
  const ended = new AbortController();
  const reason = isRunning
    ? new GamekeeperError(
        'invalid_state',
        `The export of "${instanceId}" took longer than ${LONGEST_HOLD_MS / 60_000} minutes, and a server that runs cannot be kept from saving for longer.`,
        { resolution: 'Stop the server first, or make a backup and download that.' },
      )
    : new GamekeeperError(
        'invalid_state',
        `The export of "${instanceId}" took longer than ${LONGEST_HOLD_STOPPED_MS / 3_600_000} hours, and the server cannot be started meanwhile.`,
        { resolution: 'Make a backup and download that.' },
      );
  const timer = setTimeout(() => ended.abort(reason), isRunning ? LONGEST_HOLD_MS : LONGEST_HOLD_STOPPED_MS);
  return { signal: ended.signal, forget: () => clearTimeout(timer) };
}
