import type { UserRecord } from '../../../shared/contract/daemon/users.ts';
import type { FileRight } from '../../../shared/domain/access/grant.ts';
import { rightsOf, rightsOn } from '../../../shared/domain/access/rights.ts';

/** What a session may do. It never changes: when the user's rights do, the session ends. */
export interface Access {
  readonly username: string;
  /** `undefined`: the server does not exist for this user. */
  rightOn(instanceId: string): FileRight | undefined;
}

/** The same rights as over HTTP (gateway/http/operation.ts, needsFiles). */
export function accessOf(user: Pick<UserRecord, 'username' | 'role' | 'instances'>): Access {
  const holder = rightsOf(user);
  return {
    username: user.username,
    rightOn(instanceId) {
      const rights = rightsOn(holder, instanceId);
      return rights && rights.files !== 'none' && rights.scopes.has('servers:write') ? rights.files : undefined;
    },
  };
}
