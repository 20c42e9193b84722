import type { Session } from './session.ts';

/** Returns a user's role on one server: the grant for that server may name another role than the user's own. */
export function roleOn(session: Pick<Session, 'role' | 'instances'>, instanceId: string): Session['role'] {
  const grant = grantFor(session, instanceId);
  return session.role !== 'admin' && typeof grant === 'object' ? grant.role : session.role;
}

/** Whether the user may see and change what concerns this computer. Nobody may through the hosted proxy. */
export function isLocalAdmin({ role, proxy }: Pick<Session, 'role' | 'proxy'>): boolean {
  return role === 'admin' && proxy === undefined;
}

/** Returns what a user may do with the files of one server, if anything. */
export function filesOn(
  session: Pick<Session, 'role' | 'instances'>,
  instanceId: string,
): 'read' | 'write' | undefined {
  if (session.role === 'admin') return 'write';
  const grant = grantFor(session, instanceId);
  return typeof grant === 'object' ? grant.files : undefined;
}

function grantFor({ instances = [] }: Pick<Session, 'instances'>, instanceId: string) {
  return instances.find((each) => (typeof each === 'string' ? each : each.id) === instanceId);
}
