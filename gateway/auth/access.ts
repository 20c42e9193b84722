import { ROLES, type Role } from '../../shared/domain/scope.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Access } from '../http/operation.ts';
import type { Identity } from './identity.ts';

/** Throws `unauthenticated` or `insufficient_scope` unless this identity may call an operation with that access. */
export function requireAccess(
  access: Access,
  identity: Identity | undefined,
  showed: boolean,
): asserts identity is Identity {
  if (!identity)
    throw new GamekeeperError(
      'unauthenticated',
      showed ? 'The credentials are wrong, expired or revoked.' : 'This needs credentials.',
    );
  if (access.kind === 'scope' && !identity.scopes.has(access.scope))
    throw new GamekeeperError('insufficient_scope', `This needs the scope ${access.scope}.`, { scope: access.scope });
  if (access.kind === 'panel' && (identity.kind === 'token' || identity.kind === 'oauth'))
    throw new GamekeeperError(
      'insufficient_scope',
      'This is for signed-in users of the panel; a token cannot use it.',
      {
        resolution: 'Sign in at POST /api/login, or use the command line on the machine itself.',
      },
    );
  const role = access.kind === 'public' ? undefined : access.role;
  if (role !== undefined && !atLeast(identity.role, role))
    throw new GamekeeperError('insufficient_scope', `This needs the role ${role}.`, {
      resolution: `Ask an administrator to do it, or for the role ${role}.`,
    });
}

/** Roles are listed from the one that may do everything downwards. */
function atLeast(has: Role, needed: Role): boolean {
  return ROLES.indexOf(has) <= ROLES.indexOf(needed);
}

/** Throws unless a first, generated password was replaced (api.md, Errors). */
export function requireOwnPassword(identity: Identity): void {
  if (identity.mustChangePassword)
    throw new GamekeeperError('password_change_required', 'You signed in with a generated password.');
}
