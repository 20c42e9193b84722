import { roleOn } from '../../../shared/domain/access/grant.ts';
import { scopesOfRole } from '../../../shared/domain/access/scope.ts';
import { scopeOfAction } from '../../../shared/domain/schedule.ts';
import type { Peers } from '../resources/peers.ts';
import type { StoredSchedule } from './schedule-table.ts';

const HOW_TO_RESUME = 'To resume it, edit and save it. It then runs with your rights.';

/**
 * Returns why a schedule is paused, if so: the owner's rights count when it runs, not only when it is saved (CVE-2026-86177). A token's
 * scopes never change, so only its end counts.
 */
export async function whyPaused(
  { owner, instanceId, definition }: Pick<StoredSchedule, 'owner' | 'instanceId' | 'definition'>,
  daemon: Pick<Peers['daemon'], 'user' | 'token' | 'pairing'>,
): Promise<string | undefined> {
  if (owner.token && !(await daemon.token(owner.token.id)))
    return `It was saved with the token "${owner.token.name}", which was revoked or has expired. ${HOW_TO_RESUME}`;
  if (owner.kind === 'local') return undefined;
  if (owner.kind === 'proxy') {
    const pairing = await daemon.pairing();
    if (!pairing || pairing.issuer !== owner.issuer)
      return `It was saved through a hosted proxy that is no longer paired. ${HOW_TO_RESUME}`;
    return pairing.ceiling.includes(scopeOfAction(definition.action.type))
      ? undefined
      : `It was saved through the hosted proxy, which is no longer allowed to do this. ${HOW_TO_RESUME}`;
  }
  const user = await daemon.user(owner.username);
  if (!user || user.createdAt !== owner.account)
    return `It was saved by the user "${owner.username}", who has been removed. ${HOW_TO_RESUME}`;
  if (user.disabled) return `It was saved by the user "${owner.username}", who is disabled. ${HOW_TO_RESUME}`;
  const role = roleOn(user, instanceId);
  const isAllowed = role !== undefined && scopesOfRole(role).includes(scopeOfAction(definition.action.type));
  return isAllowed
    ? undefined
    : `It was saved by the user "${owner.username}", who is no longer allowed to do this. ${HOW_TO_RESUME}`;
}
