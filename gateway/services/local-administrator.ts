import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Identity } from '../auth/identity.ts';

/** What runs, where and with which environment is decided by people who own the machine (api.md, Create body). Throws `insufficient_scope`. */
export function requireLocalAdministrator(by: Identity, what: readonly string[]): void {
  if (what.length === 0 || by.unrestricted) return;
  throw new GamekeeperError('insufficient_scope', `Only a local administrator may set ${what.join(' and ')}.`, {
    resolution: 'Sign in as an administrator, or use a token that was made without restricting its scopes.',
  });
}
