import { EVERY_INSTANCE, type Grant, instanceOfGrant } from '../../shared/domain/grant.ts';
import { type Role, type Scope, scopesOfRole } from '../../shared/domain/scope.ts';

/** What may be done, with the host or with one instance. */
export interface Rights {
  role: Role;
  scopes: ReadonlySet<Scope>;
}

/** On which instances a credential's rights hold. */
export interface InstanceRights {
  /** True when instances that are not named have the credential's own rights; otherwise they are not there for it. */
  others: boolean;
  /** Rights of their own on single instances, higher or lower. */
  named: ReadonlyMap<string, Rights>;
}

/** For credentials that are not limited to some instances. */
export const ON_EVERY_INSTANCE: InstanceRights = { others: true, named: new Map() };

/** Whose rights are asked for: an Identity, as far as it matters here. */
export interface Holder extends Rights {
  instances: InstanceRights;
}

/** What the holder may do with one instance. `undefined`: as far as the holder can tell, there is no such instance. */
export function rightsOn(holder: Holder, instance: string): Rights | undefined {
  return holder.instances.named.get(instance) ?? (holder.instances.others ? holder : undefined);
}

/** Every set of rights that the holder has anywhere. */
export function* rightsAnywhere(holder: Holder): Generator<Rights> {
  yield holder;
  yield* holder.instances.named.values();
}

/** Whether the holder can see an instance: what is listed, counted or told about others is not for them. */
export function canSee(holder: Holder, instance: string): boolean {
  return rightsOn(holder, instance) !== undefined;
}

/** True when no instance is hidden from the holder. */
export function seesEveryInstance({ instances }: Holder): boolean {
  return instances.others;
}

/**
 * The rights of a user's credential: those of the role and the grants as they are now, and of them only what `scopes` leaves (a token
 * may have been made with fewer).
 */
export function rightsOf(user: { role: Role; instances: readonly Grant[] }, scopes?: readonly Scope[]): Holder {
  const of = (role: Role): Rights => ({ role, scopes: new Set(leftOf(scopesOfRole(role), scopes)) });
  const own = of(user.role);
  if (user.role === 'admin') return { ...own, instances: ON_EVERY_INSTANCE };
  const named = new Map<string, Rights>();
  for (const grant of user.instances)
    if (grant !== EVERY_INSTANCE) named.set(instanceOfGrant(grant), typeof grant === 'string' ? own : of(grant.role));
  return { ...own, instances: { others: user.instances.includes(EVERY_INSTANCE), named } };
}

function leftOf(scopes: readonly Scope[], limit: readonly Scope[] | undefined): readonly Scope[] {
  return limit === undefined ? scopes : scopes.filter((scope) => limit.includes(scope));
}
