import type { Session } from './session.ts';

/** Returns a user's role on one server: the grant for that server may name another role than the user's own. */
export function roleOn(
  { role, instances = [] }: Pick<Session, 'role' | 'instances'>,
  instanceId: string,
): Session['role'] {
  if (role === 'admin') return role;
  const grant = instances.find((each) => (typeof each === 'string' ? each : each.id) === instanceId);
  return typeof grant === 'object' ? grant.role : role;
}
