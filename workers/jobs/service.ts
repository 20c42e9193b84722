import type { JobsService } from '../../shared/contract/jobs.ts';
import type { BackupCalls } from './backups/backup-calls.ts';
import type { BackupJobs } from './backups/backup-jobs.ts';
import type { BrowseCalls } from './backups/browse/browse-calls.ts';
import type { FileCalls } from './files/file-calls.ts';
import type { ModpackCalls } from './import/modpack-calls.ts';
import type { ModCalls } from './mods/mod-calls.ts';
import type { JobQueue } from './queue/queue.ts';
import { watchJobs } from './queue/watch-jobs.ts';
import type { RuntimeCalls } from './runtimes/runtime-calls.ts';
import type { ScheduleCalls } from './schedules/schedule-calls.ts';
import type { Skins } from './skins/skins.ts';
import type { InstalledRecords } from './software/installed.ts';
import type { WorldCalls } from './worlds/world-calls.ts';

/** The calls of each room. */
export interface RoomCalls {
  backups: BackupJobs & BackupCalls;
  browse: BrowseCalls;
  clone: Pick<JobsService, 'startClone'>;
  export: Pick<JobsService, 'startExport'>;
  files: FileCalls;
  import: Pick<JobsService, 'recognise' | 'importFolder' | 'startImport' | 'imported'>;
  modpacks: ModpackCalls;
  mods: ModCalls;
  provisioning: Pick<JobsService, 'provision'>;
  runtimes: RuntimeCalls;
  schedules: ScheduleCalls;
  skins: Skins['calls'];
  software: Pick<JobsService, 'softwareVersions'>;
  worlds: WorldCalls;
}

export interface JobsServiceOptions {
  rooms: RoomCalls;
  queue: JobQueue;
  stats: JobsService['stats'];
  records: InstalledRecords;
  forgetMods(instanceId: string): void;
}

/** What other processes can call, by the room that answers it. */
export function createJobsService({ rooms, queue, stats, records, forgetMods }: JobsServiceOptions): JobsService {
  const { backups, mods, runtimes, schedules } = rooms;
  return {
    startBackup: backups.startBackup,
    startVerify: backups.startVerify,
    startRestore: backups.startRestore,
    startFileRestore: backups.startFileRestore,
    startDrill: backups.startDrill,
    verification: backups.verification,
    backups: backups.backups,
    backup: backups.backup,
    archivePath: backups.archivePath,
    setPinned: backups.setPinned,
    replicate: backups.replicate,
    deleteBackup: backups.deleteBackup,
    testStore: backups.testStore,
    ...rooms.browse,

    schedules: schedules.schedules,
    setSchedules: schedules.setSchedules,
    pausedSchedules: schedules.pausedSchedules,
    scheduleHistory: schedules.scheduleHistory,
    watchScheduleRuns: schedules.watchScheduleRuns,

    mods: mods.mods,
    searchMods: mods.searchMods,
    startModChange: mods.startModChange,
    modChanges: mods.modChanges,

    recognise: rooms.import.recognise,
    importFolder: rooms.import.importFolder,
    startImport: rooms.import.startImport,
    imported: rooms.import.imported,
    ...rooms.modpacks,
    startExport: rooms.export.startExport,
    startFolderDownload: rooms.files.startFolderDownload,
    startArchive: rooms.files.startArchive,
    startExtract: rooms.files.startExtract,
    startClone: rooms.clone.startClone,
    ...rooms.worlds,
    ...rooms.skins,

    provision: rooms.provisioning.provision,
    softwareVersions: rooms.software.softwareVersions,
    runtimes: runtimes.runtimes,
    updateRuntime: runtimes.updateRuntime,
    removeRuntimes: runtimes.removeRuntimes,

    jobs: () => queue.all(),
    job: (jobId) => queue.find(jobId),
    watchJobs: (signal) => watchJobs(queue, signal),
    waitForJob: (jobId, signal) => queue.wait(jobId, signal),
    cancel: (jobId) => queue.cancel(jobId),
    stats,

    async forgetInstance(request) {
      await backups.forgetInstance(request);
      if (request.mods) forgetMods(request.instanceId);
      await records.remove(request.instanceId);
    },
  };
}
