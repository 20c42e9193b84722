/**
 * The words for what an instance is doing.
 *
 * `phase` is ours and exact; `status` is the customer's coarser word on the wire (reference-api.md, section 3).
 */
export const PHASES = ['stopped', 'provisioning', 'starting', 'running', 'stopping', 'crashed', 'sleeping'] as const;
export type Phase = (typeof PHASES)[number];

export const STATUSES = ['running', 'stopped', 'starting'] as const;
export type Status = (typeof STATUSES)[number];

/** Long work on an instance's folder, beside its phase. */
export const ACTIVITIES = ['installing', 'backing-up', 'restoring'] as const;
export type Activity = (typeof ACTIVITIES)[number];

const STATUS_OF: Readonly<Record<Phase, Status>> = {
  stopped: 'stopped',
  crashed: 'stopped',
  sleeping: 'stopped',
  provisioning: 'starting',
  starting: 'starting',
  running: 'running',
  stopping: 'running',
};

/** The reference's three-valued status of a phase. */
export function statusOf(phase: Phase): Status {
  return STATUS_OF[phase];
}

/** True for what its owner takes to be up: it runs, or will as soon as somebody wants to play. */
export function isUp(phase: Phase): boolean {
  return isLive(phase) || phase === 'sleeping';
}

/** True while a game process may exist, so that a folder must not be touched and a second start is refused. */
export function isLive(phase: Phase): boolean {
  return STATUS_OF[phase] !== 'stopped';
}
