import type { Schedule } from '../../../api/schedules.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { phaseOf } from '../../../ui/display/phase.ts';

/** What a new owner does first, in this order. */
export const STEPS = ['start', 'address', 'people', 'backups', 'factor'] as const;
export type Step = (typeof STEPS)[number];

/** What shows which steps are done. */
export interface Setup {
  instances: readonly Instance[];
  /** Of all instances. */
  schedules: readonly Schedule[];
  /** How many there are. */
  users: number;
  /** Java Edition on the local network lists the servers. */
  isAnnounced: boolean;
  /** The user signs in with a second factor. */
  totp: boolean;
}

const IS_DONE: Record<Step, (setup: Setup) => boolean> = {
  start: ({ instances }) => instances.some((instance) => ['running', 'sleeping'].includes(phaseOf(instance))),
  address: ({ instances, isAnnounced }) =>
    isAnnounced || instances.some(({ publicAddress }) => publicAddress !== undefined),
  people: ({ users }) => users > 1,
  backups: ({ schedules }) =>
    schedules.some(({ action, enabled, paused }) => action.type === 'backup' && enabled && paused === undefined),
  factor: ({ totp }) => totp,
};

export function doneSteps(setup: Setup): Step[] {
  return STEPS.filter((step) => IS_DONE[step](setup));
}

/** Returns where a step is done. `serverId`: a server for the steps that concern one. */
export function placeOf(step: Step, serverId: string): string {
  const places: Record<Step, string> = {
    start: `/servers/${serverId}/console`,
    address: `/servers/${serverId}/tunnel`,
    people: '/host/users',
    backups: `/servers/${serverId}/schedules`,
    factor: '/host/account',
  };
  return places[step];
}
