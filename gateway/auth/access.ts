import type { FastifyRequest } from 'fastify';
import {
  canSee,
  type Holder,
  type Rights,
  rightsAnywhere,
  rightsOn,
  seesEveryInstance,
} from '../../shared/domain/access/rights.ts';
import { ROLES, type Role } from '../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Access } from '../http/operation.ts';
import type { Identity } from './identity.ts';

export interface AccessQuestion {
  showed: boolean;
  instance: string | undefined;
}

/**
 * Throws `unauthenticated`, `insufficient_scope`, or `instance_not_found` for an instance that is hidden from this identity, unless it may
 * call an operation with this access.
 */
export function requireAccess(
  access: Access,
  identity: Identity | undefined,
  { showed, instance }: AccessQuestion,
): asserts identity is Identity {
  if (!identity)
    throw new GamekeeperError(
      'unauthenticated',
      showed ? 'The credentials are wrong, expired or revoked.' : 'This request needs credentials.',
    );
  if (access.kind === 'session' && (identity.kind === 'token' || identity.kind === 'oauth'))
    throw new GamekeeperError('insufficient_scope', 'Only signed-in users can do this; a token cannot.', {
      resolution: 'Sign in at POST /api/login, or use the command line on the machine that runs Gamekeeper.',
    });
  const here = instance === undefined ? identity : rightsOn(identity, instance);
  const anywhere = access.kind === 'scope' && access.of === 'anything';
  const refusals = Array.from(!here || anywhere ? rightsAnywhere(identity) : [here], (rights) =>
    refusalOf(access, rights),
  );
  // The scope is checked before the instance: a caller without the scope must not learn which instances exist.
  if (refusals.every((refusal) => refusal !== undefined)) throw refusals[0];
  if (!here) throw new GamekeeperError('instance_not_found', `There is no instance "${instance}".`);
  if (access.kind === 'scope' && access.of === 'everything' && !seesEveryInstance(identity))
    throw new GamekeeperError('insufficient_scope', 'This concerns every instance, and you can see only some of them.');
}

export function requireRights(access: Access, rights: Rights): void {
  const refusal = refusalOf(access, rights);
  if (refusal) throw refusal;
}

/** Returns true if these rights suffice for an operation with this access. */
export function hasRights(access: Access, rights: Rights): boolean {
  return refusalOf(access, rights) === undefined;
}

function refusalOf(access: Access, { role: has, scopes, files }: Rights): GamekeeperError | undefined {
  if (access.kind === 'scope' && !scopes.has(access.scope))
    return new GamekeeperError('insufficient_scope', `This needs the scope ${access.scope}.`, { scope: access.scope });
  const right = access.kind === 'scope' ? access.files : undefined;
  if (right !== undefined && files !== 'write' && files !== right)
    return new GamekeeperError('insufficient_scope', `This needs the right to ${right} the files of this server.`, {
      resolution: `Ask an administrator to do it, or to give you "files": "${right}" on this server.`,
    });
  const role = access.kind === 'public' ? undefined : access.role;
  if (role !== undefined && !atLeast(has, role))
    return new GamekeeperError('insufficient_scope', `This needs the role ${role}.`, {
      resolution: `Ask an administrator to do it, or to give you the role ${role}.`,
    });
  return undefined;
}

/** ROLES starts with the highest. */
function atLeast(has: Role, needed: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(needed);
}

/** Throws `password_change_required` until the generated password of the first sign-in has been replaced. */
export function requireOwnPassword(identity: Identity): void {
  if (identity.mustChangePassword)
    throw new GamekeeperError('password_change_required', 'You signed in with a generated password.');
}

/**
 * Returns who is signed in. Throws `insufficient_scope` for the local administrator, who passes the access check but has neither session
 * nor password.
 */
export function requireSession({ identity }: FastifyRequest): Identity {
  if (identity?.kind === 'session') return identity;
  throw new GamekeeperError('insufficient_scope', 'Only users who are signed in with a cookie can do this.', {
    resolution: 'Sign in at POST /api/login.',
  });
}

/** Throws `insufficient_scope` if anyone but a local administrator sets `fields`, which decide what runs, where and how. */
export function requireLocalAdministrator(by: Identity, fields: readonly string[]): void {
  if (fields.length === 0 || by.unrestricted) return;
  throw new GamekeeperError('insufficient_scope', `Only a local administrator may set ${fields.join(' and ')}.`, {
    resolution: 'Sign in as an administrator, or use a token that was created without limiting its scopes.',
  });
}

/** Returns the error to show to a caller: it names the other instance involved only if the caller can see that one. */
export function redactForCaller(caller: Holder, error: unknown): unknown {
  if (!(error instanceof GamekeeperError) || !error.otherInstance) return error;
  const { id, detail, resolution } = error.otherInstance;
  return canSee(caller, id) ? new GamekeeperError(error.code, detail, { resolution, cause: error }) : error;
}
