/**
 * The subscriptions of each contract. A client has only a router's type, which is gone at run time, so it is told here which calls
 * are streams. Kept apart from the routers so that a client does not load them.
 */
export const SUPERVISOR_STREAMS = ['watch', 'console'] as const;
export const DAEMON_STREAMS = [
  'watchInstances',
  'watchCredentials',
  'watchJobsPresence',
  'watchCustomSoftware',
  'watchSettings',
  'settingsOffers',
  'shutdown',
] as const;
export const JOBS_STREAMS = ['provision', 'watchJobs', 'watchScheduleRuns'] as const;
