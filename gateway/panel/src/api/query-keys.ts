/** Keys of what events keep up to date (`live/apply-event.ts`); the other resources keep their keys to themselves. */
export const INSTANCES = ['instances'];
export const JOBS = ['jobs'];
export const backupsKey = (instanceId: string) => ['backups', instanceId];
export const playersKey = (instanceId: string) => ['players', instanceId];
export const tunnelKey = (instanceId: string) => ['tunnel', instanceId];
export const filesKey = (instanceId: string) => ['files', instanceId];
export const schedulesKey = (instanceId: string) => ['schedules', instanceId];
