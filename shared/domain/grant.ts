import type { Role } from './scope.ts';

/** In a list of grants: every instance, those of the future included, with the user's own role. */
export const EVERY_INSTANCE = '*';

/** What can be given on a single instance: administrators are administrators of the whole host. */
export const INSTANCE_ROLES = ['operator', 'viewer'] as const satisfies readonly Role[];
export type InstanceRole = (typeof INSTANCE_ROLES)[number];

/** One entry of what a user may see: an instance (or EVERY_INSTANCE) with the user's own role, or with another one there. */
export type Grant = string | { id: string; role: InstanceRole };

/** The instance that a grant is about. */
export function instanceOfGrant(grant: Grant): string {
  return typeof grant === 'string' ? grant : grant.id;
}

/** The role that a user has on one instance; `undefined`: as far as the user can tell, there is no such instance. */
export function roleOn(user: { role: Role; instances: readonly Grant[] }, instance: string): Role | undefined {
  if (user.role === 'admin') return 'admin';
  const grant = user.instances.find((one) => instanceOfGrant(one) === instance);
  if (grant !== undefined) return typeof grant === 'string' ? user.role : grant.role;
  return user.instances.includes(EVERY_INSTANCE) ? user.role : undefined;
}
