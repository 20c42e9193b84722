/** How many requests of one kind may be under way at a time, with the jobs that they have begun. */
export interface WorkLimit {
  /** What there is too much of, for the error. */
  what: string;
  /** Of one user, or one token, on all instances together. Less than `total`, so that nobody has all places. */
  perUser: number;
  /** For work on an instance. */
  onInstance?: {
    /** Of one user on one instance. */
    perUser: number;
    /** Of all users on one instance. Less than `total`, so that no instance has all places. */
    all: number;
  };
  /** Of all users on all instances. */
  total: number;
}

/**
 * Everything that queues a job, waits for another process or program, or lasts as long as its reader wants. An operation names its row
 * (`work` in http/operation.ts); test/gateway/work/work-table.test.ts fails for an operation that has none and is not known to be harmless.
 * Backups and restores have high limits because the jobs process accepts only one of them per instance, and so does the folder's lock with
 * exports. A supervisor has turns for all searches and requests for files that one instance can have under way here, those of administrators
 * included.
 */
export const WORK = {
  backup: { what: 'backups', perUser: 32, onInstance: { perUser: 16, all: 32 }, total: 128 },
  restore: { what: 'restores', perUser: 32, onInstance: { perUser: 16, all: 32 }, total: 128 },
  verify: { what: 'checks of backups', perUser: 16, onInstance: { perUser: 4, all: 8 }, total: 64 },
  drill: { what: 'tests of a restore', perUser: 8, onInstance: { perUser: 2, all: 4 }, total: 32 },
  replicate: { what: 'requests for copies of backups', perUser: 8, onInstance: { perUser: 2, all: 4 }, total: 32 },
  backupList: { what: 'lists of backups', perUser: 16, onInstance: { perUser: 4, all: 16 }, total: 64 },
  backupChange: { what: 'changes of backups', perUser: 16, onInstance: { perUser: 8, all: 16 }, total: 64 },
  clone: { what: 'copies of servers', perUser: 4, onInstance: { perUser: 2, all: 4 }, total: 10 },
  import: { what: 'imports', perUser: 5, total: 10 },
  create: { what: 'new servers', perUser: 16, total: 64 },
  configure: { what: 'changes of servers', perUser: 16, onInstance: { perUser: 4, all: 8 }, total: 64 },
  remove: { what: 'deletions of servers', perUser: 8, onInstance: { perUser: 1, all: 2 }, total: 32 },
  mods: { what: 'changes of mods', perUser: 10, onInstance: { perUser: 4, all: 8 }, total: 20 },
  export: { what: 'exports', perUser: 4, onInstance: { perUser: 2, all: 4 }, total: 8 },
  download: { what: 'downloads of backups', perUser: 16, onInstance: { perUser: 8, all: 16 }, total: 64 },
  backupFiles: { what: 'lists of files in backups', perUser: 4, onInstance: { perUser: 2, all: 4 }, total: 8 },
  backupFile: { what: 'downloads of files in backups', perUser: 4, onInstance: { perUser: 2, all: 4 }, total: 8 },
  log: { what: 'requests for logs', perUser: 16, onInstance: { perUser: 4, all: 16 }, total: 64 },
  search: { what: 'searches of logs', perUser: 4, onInstance: { perUser: 2, all: 4 }, total: 32 },
  serverFile: { what: "requests for a server's files", perUser: 32, onInstance: { perUser: 4, all: 8 }, total: 256 },
  files: { what: 'requests for files', perUser: 32, onInstance: { perUser: 8, all: 24 }, total: 128 },
  fileSearch: { what: 'searches for files', perUser: 2, onInstance: { perUser: 1, all: 2 }, total: 6 },
  fileTransfer: { what: 'transfers of files', perUser: 8, onInstance: { perUser: 4, all: 12 }, total: 48 },
  archives: { what: 'archives to create or unpack', perUser: 8, onInstance: { perUser: 2, all: 4 }, total: 32 },
  game: { what: 'requests to game servers', perUser: 64, onInstance: { perUser: 32, all: 128 }, total: 512 },
  skin: { what: 'requests for skins of players', perUser: 192, onInstance: { perUser: 128, all: 256 }, total: 512 },
  schedules: { what: 'requests for schedules', perUser: 8, onInstance: { perUser: 2, all: 8 }, total: 64 },
  lifecycle: { what: 'starts and stops', perUser: 64, onInstance: { perUser: 16, all: 64 }, total: 256 },
  modList: { what: 'lists of mods', perUser: 8, onInstance: { perUser: 4, all: 16 }, total: 64 },
  modSearch: { what: 'searches for mods', perUser: 8, onInstance: { perUser: 4, all: 16 }, total: 64 },
  vendor: { what: 'requests to providers of software', perUser: 16, total: 64 },
  kinds: { what: 'changes of kinds', perUser: 4, total: 8 },
  runtime: { what: 'changes of Java versions', perUser: 4, total: 8 },
  link: { what: 'changes of the link to a hosted proxy', perUser: 2, total: 4 },
  tunnel: { what: 'requests for public addresses', perUser: 8, onInstance: { perUser: 2, all: 4 }, total: 32 },
  storeTest: { what: 'tests of stores', perUser: 4, total: 8 },
  settings: { what: 'changes of the settings', perUser: 2, total: 8 },
  users: { what: 'changes of users', perUser: 4, total: 16 },
} as const satisfies Record<string, WorkLimit>;

export type Work = keyof typeof WORK;
