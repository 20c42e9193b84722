import type { Role } from './scope.ts';

/** In a list of grants: every instance, including future ones, with the user's own role. */
export const EVERY_INSTANCE = '*';

/** Roles on a single instance. There are no administrators of one instance. */
export const INSTANCE_ROLES = ['operator', 'viewer'] as const satisfies readonly Role[];
export type InstanceRole = (typeof INSTANCE_ROLES)[number];

/** What a user may do with the files of an instance. Whoever writes a plugin or a mod runs programs on the host. */
export const FILE_RIGHTS = ['read', 'write'] as const;
export type FileRight = (typeof FILE_RIGHTS)[number];

/** An instance (or EVERY_INSTANCE) that a user can see, with the user's own role or another one, and maybe its files. */
export type Grant = string | { id: string; role: InstanceRole; files?: FileRight };

export function instanceOfGrant(grant: Grant): string {
  return typeof grant === 'string' ? grant : grant.id;
}

/** Returns a user's role on an instance; `undefined` if the instance does not exist for the user. */
export function roleOn(user: { role: Role; instances: readonly Grant[] }, instance: string): Role | undefined {
  if (user.role === 'admin') return 'admin';
  const grant = user.instances.find((one) => instanceOfGrant(one) === instance);
  if (grant !== undefined) return typeof grant === 'string' ? user.role : grant.role;
  return user.instances.includes(EVERY_INSTANCE) ? user.role : undefined;
}
