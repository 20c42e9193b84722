import type { JobsService } from '../../../shared/contract/jobs.ts';
import { sayOmissions } from '../../../shared/domain/backups/omissions.ts';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { EXPORT_MANIFEST, type ExportManifest } from '../../../shared/schema/export.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { toConfiguration } from '../../../shared/schema/instance-configuration.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import { lockFolder } from '../resources/folder-lease.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';

/** A running server does not save its world during an export: for this long at most, however slow the download is. Milliseconds. */
const LONGEST_LOCK_MS = 600_000;
/** A stopped server cannot start during an export: enough for 100 GB at 20 Mbit/s, but not for days. Milliseconds. */
const LONGEST_LOCK_STOPPED_MS = 43_200_000;

export interface ExportOptions {
  peers: Peers;
  pool: Pool;
  log: Logger;
}

export function createExportCalls(queue: JobQueue, options: ExportOptions): Pick<JobsService, 'startExport'> {
  return {
    async startExport({ instanceId, socket }) {
      const { config, runtime } = await options.peers.daemon.instance(instanceId);
      const order = { config, socket, isRunning: isLive(runtime.phase) };
      // Not queued: an export is as slow as its reader, and backups must not wait for that.
      return queue.add({
        kind: 'export',
        instanceId,
        queued: false,
        work: (run) => exportInstance(order, run, options),
      });
    },
  };
}

interface ExportOrder {
  config: InstanceConfig;
  socket: string;
  isRunning: boolean;
}

async function exportInstance(
  { config, socket, isRunning }: ExportOrder,
  run: JobRun,
  { peers, pool, log }: ExportOptions,
): Promise<void> {
  const { progress } = run.phase(0);
  const request = { instanceId: config.id, activity: 'backing-up', signal: run.signal } as const;
  const lease = await lockFolder(request, { peers, log });
  const deadline = startDeadline(config.id, isRunning);
  try {
    const at = new Date();
    const content: Omit<ExportManifest, 'fileCount' | 'leftOut' | 'changedFiles'> = {
      format: 'gamekeeper-export',
      formatVersion: 1,
      madeBy: VERSION,
      exportedAt: at.toISOString(),
      software: config.software,
      settings: toConfiguration(config),
      quiesced: await lease.isStill(),
    };
    const manifest = { name: EXPORT_MANIFEST, content, at: at.getTime() };
    const task = { source: config.directory, socket, manifest, progress: progress.memory };
    const signal = AbortSignal.any([run.signal, lease.lost, deadline.signal]);
    const exported = await pool.run('exportFolder', task, signal);
    run.omits(exported);
    if (exported.omittedCount > 0)
      await lease.notice(`The export does not contain everything: ${sayOmissions(exported)}.`);
  } finally {
    deadline.stop();
    await lease.release();
  }
}

function startDeadline(instanceId: string, isRunning: boolean): { signal: AbortSignal; stop(): void } {
  const over = new AbortController();
  const reason = isRunning
    ? new GamekeeperError(
        'invalid_state',
        `The export of "${instanceId}" took longer than ${LONGEST_LOCK_MS / 60_000} minutes. A running server must not go without saving for longer.`,
        { resolution: 'Stop the server first, or make a backup and download that.' },
      )
    : new GamekeeperError(
        'invalid_state',
        `The export of "${instanceId}" took longer than ${LONGEST_LOCK_STOPPED_MS / 3_600_000} hours, during which the server could not be started.`,
        { resolution: 'Make a backup and download that.' },
      );
  const timer = setTimeout(() => over.abort(reason), isRunning ? LONGEST_LOCK_MS : LONGEST_LOCK_STOPPED_MS);
  return { signal: over.signal, stop: () => clearTimeout(timer) };
}
