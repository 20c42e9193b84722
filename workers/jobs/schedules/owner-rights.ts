import { roleOn } from '../../../shared/domain/access/grant.ts';
import { scopesOfRole } from '../../../shared/domain/access/scope.ts';
import { type PauseReason, scopeOfAction } from '../../../shared/domain/schedule.ts';
import type { Peers } from '../resources/peers.ts';
import type { StoredSchedule } from './schedule-table.ts';

const HOW_TO_RESUME = 'To resume it, edit and save it. It then runs with your rights.';

export interface Pause {
  reason: PauseReason;
  /** In words. */
  text: string;
}

/** What is known of the owners of schedules. */
export type OwnerSource = Pick<Peers['daemon'], 'user' | 'token' | 'pairing' | 'isGoodGrant'>;

/** Returns a source that asks this one each question once: many schedules have the same owner. */
export function askingOnce(daemon: OwnerSource): OwnerSource {
  const once = <T>(ask: (key: string) => Promise<T>) => {
    const answers = new Map<string, Promise<T>>();
    return (key: string) => {
      const answer = answers.get(key) ?? ask(key);
      answers.set(key, answer);
      return answer;
    };
  };
  const pairing = once(() => daemon.pairing());
  return {
    user: once((username) => daemon.user(username)),
    token: once((id) => daemon.token(id)),
    pairing: () => pairing(''),
    isGoodGrant: once((id) => daemon.isGoodGrant(id)),
  };
}

/**
 * Returns why a schedule is paused, if so: the owner's rights count when it runs, not only when it is saved (CVE-2026-86177). A token's
 * scopes never change, so only its end counts.
 */
export async function whyPaused(
  schedule: Pick<StoredSchedule, 'owner' | 'instanceId' | 'definition' | 'savedAt'>,
  daemon: OwnerSource,
): Promise<Pause | undefined> {
  const { owner, instanceId, definition } = schedule;
  if (owner.token && !(await daemon.token(owner.token.id)))
    return paused('token-ended', `with the token "${owner.token.name}", which was revoked or has expired`);
  if (owner.kind === 'local') return undefined;
  const scope = scopeOfAction(definition.action.type);
  if (owner.kind === 'proxy') {
    const pairing = await daemon.pairing();
    if (!pairing || pairing.issuer !== owner.issuer)
      return paused('proxy-unlinked', 'through a hosted proxy that is no longer paired');
    const isGood = owner.grant ? await daemon.isGoodGrant(owner.grant.id) : schedule.savedAt >= pairing.pairedAt;
    if (!isGood) return paused('access-ended', 'by a program whose access at the hosted proxy has ended');
    return pairing.ceiling.includes(scope)
      ? undefined
      : paused('not-allowed', 'through the hosted proxy, which is no longer allowed to do this');
  }
  const who = `by the user "${owner.username}"`;
  const user = await daemon.user(owner.username);
  if (!user || user.createdAt !== owner.account) return paused('user-removed', `${who}, who has been removed`);
  if (user.disabled) return paused('user-disabled', `${who}, who is disabled`);
  const role = roleOn(user, instanceId);
  const isAllowed = role !== undefined && scopesOfRole(role).includes(scope);
  return isAllowed ? undefined : paused('not-allowed', `${who}, who is no longer allowed to do this`);
}

function paused(reason: PauseReason, how: string): Pause {
  return { reason, text: `It was saved ${how}. ${HOW_TO_RESUME}` };
}
