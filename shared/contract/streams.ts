/**
 * The subscriptions of each contract. A client has only the type of a router, so it cannot tell at run time which calls are streams.
 * Separate from the routers, so that a client does not load them; test/shared/contract/streams.test.ts compares the two.
 */
export const SUPERVISOR_STREAMS = ['watch', 'console'] as const;
export const DAEMON_STREAMS = [
  'watchInstances',
  'watchCredentials',
  'watchLink',
  'watchJobsPresence',
  'watchCustomSoftware',
  'watchSettings',
  'settingsOffers',
  'shutdown',
] as const;
export const JOBS_STREAMS = ['provision', 'watchJobs', 'watchScheduleRuns'] as const;
export const FILES_STREAMS = [] as const;
export const SIGN_IN_STREAMS = [] as const;
