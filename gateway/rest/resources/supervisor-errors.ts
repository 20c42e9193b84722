import type { ErrorCode } from '../../../shared/errors/catalogue.ts';

/** What every operation can answer that needs the supervisor of an instance: none comes to one that is being deleted. */
export const OF_SUPERVISOR: readonly ErrorCode[] = ['instance_not_found', 'already_in_progress', 'worker_unavailable'];
