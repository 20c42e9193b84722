/** What an instance is doing. `phase` is exact; `status` is the coarser word that API clients have always had (docs/api.md, Instances). */
export const PHASES = ['stopped', 'provisioning', 'starting', 'running', 'stopping', 'crashed', 'sleeping'] as const;
export type Phase = (typeof PHASES)[number];

export const STATUSES = ['running', 'stopped', 'starting'] as const;
export type Status = (typeof STATUSES)[number];

/** Long-running work on an instance's folder, in any phase. */
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

export function statusOf(phase: Phase): Status {
  return STATUS_OF[phase];
}

/** Returns true if the owner considers the server up: it runs, or starts as soon as a player joins. */
export function isUp(phase: Phase): boolean {
  return isLive(phase) || phase === 'sleeping';
}

/** Returns true while a game process may exist: the folder must not be touched, and a second start is refused. */
export function isLive(phase: Phase): boolean {
  return STATUS_OF[phase] !== 'stopped';
}
