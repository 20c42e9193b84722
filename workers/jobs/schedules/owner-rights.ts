import { roleOn } from '../../../shared/domain/grant.ts';
import { scopeOfAction } from '../../../shared/domain/schedule.ts';
import { scopesOfRole } from '../../../shared/domain/scope.ts';
import type { Peers } from '../resources/peers.ts';
import type { StoredSchedule } from './schedule-table.ts';

const HOW_TO_RESUME =
  'To resume it, somebody who is allowed to do this edits and saves it; it then runs with their rights.';

/**
 * Returns why a schedule is paused, if so: the owner's rights count when it runs, not only when it is saved (CVE-2026-86177). A token's
 * scopes never change, so only its end counts.
 */
export async function whyPaused(
  { owner, instanceId, definition }: Pick<StoredSchedule, 'owner' | 'instanceId' | 'definition'>,
  daemon: Pick<Peers['daemon'], 'user' | 'token' | 'pairing'>,
): Promise<string | undefined> {
  if (owner.token && !(await daemon.token(owner.token.id)))
    return `The token "${owner.token.name}", with which it was saved, was revoked or has expired. ${HOW_TO_RESUME}`;
  if (owner.kind === 'local') return undefined;
  if (owner.kind === 'proxy') {
    const pairing = await daemon.pairing();
    return pairing?.issuer === owner.issuer
      ? undefined
      : `It was saved through a hosted proxy that is no longer paired. ${HOW_TO_RESUME}`;
  }
  const user = await daemon.user(owner.username);
  if (!user || user.createdAt !== owner.account)
    return `The user "${owner.username}", who saved it, has been removed. ${HOW_TO_RESUME}`;
  if (user.disabled) return `The user "${owner.username}", who saved it, is disabled. ${HOW_TO_RESUME}`;
  const role = roleOn(user, instanceId);
  const isAllowed = role !== undefined && scopesOfRole(role).includes(scopeOfAction(definition.action.type));
  return isAllowed
    ? undefined
    : `The user "${owner.username}", who saved it, is no longer allowed to do this. ${HOW_TO_RESUME}`;
}
