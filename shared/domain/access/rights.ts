import { EVERY_INSTANCE, type FileRight, type Grant, instanceOfGrant } from './grant.ts';
import { type Role, type Scope, scopesOfRole } from './scope.ts';

/** What a caller may do, on the host or on one instance. */
export interface Rights {
  role: Role;
  scopes: ReadonlySet<Scope>;
  /** What the caller may do with the files of instances; administrators may write. */
  files: FileRight | 'none';
}

/** The instances to which a credential's rights apply. */
export interface InstanceRights {
  /** True: the credential's own rights apply to instances that are not named. False: those instances are hidden. */
  others: boolean;
  /** Different rights on single instances, higher or lower. */
  named: ReadonlyMap<string, Rights>;
}

export const ON_EVERY_INSTANCE: InstanceRights = { others: true, named: new Map() };

export interface Holder extends Rights {
  instances: InstanceRights;
}

/** Returns the holder's rights on an instance; `undefined` if the instance is hidden from the holder. */
export function rightsOn(holder: Holder, instance: string): Rights | undefined {
  return holder.instances.named.get(instance) ?? (holder.instances.others ? holder : undefined);
}

export function* rightsAnywhere(holder: Holder): Generator<Rights> {
  yield holder;
  yield* holder.instances.named.values();
}

export function canSee(holder: Holder, instance: string): boolean {
  return rightsOn(holder, instance) !== undefined;
}

export function seesEveryInstance({ instances }: Holder): boolean {
  return instances.others;
}

/** Returns the rights of a user's credential: those of the user's role and grants, limited to `scopes` if the credential has fewer. */
export function rightsOf(user: { role: Role; instances: readonly Grant[] }, scopes?: readonly Scope[]): Holder {
  const of = (role: Role, files: Rights['files'] = 'none'): Rights => ({
    ...{ role, scopes: new Set(leftOf(scopesOfRole(role), scopes)) },
    files: role === 'admin' ? 'write' : files,
  });
  const own = of(user.role);
  if (user.role === 'admin') return { ...own, instances: ON_EVERY_INSTANCE };
  const named = new Map<string, Rights>();
  for (const grant of user.instances)
    if (grant !== EVERY_INSTANCE)
      named.set(instanceOfGrant(grant), typeof grant === 'string' ? own : of(grant.role, grant.files));
  return { ...own, instances: { others: user.instances.includes(EVERY_INSTANCE), named } };
}

function leftOf(scopes: readonly Scope[], limit: readonly Scope[] | undefined): readonly Scope[] {
  return limit === undefined ? scopes : scopes.filter((scope) => limit.includes(scope));
}
