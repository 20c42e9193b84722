import { StartupError } from '../../../../shared/node/processes/startup-error.ts';
import type { Account } from '../../accounts/accounts.ts';
import type { Daemons } from '../../daemons/directory.ts';
import type { Grants } from '../grants.ts';
import type { OauthServer } from '../server.ts';
import { allow } from './allow.ts';
import { wishOf } from './wish.ts';

export interface ApprovalOptions {
  oauth: OauthServer;
  daemons: Daemons;
  grants: Grants;
}

/**
 * Approves a user code for an account, as the person would in the browser. A program other than `gamekeeper link` gets the servers that it
 * names, or all of them. Throws StartupError if there is no such code, or it was used.
 */
export async function approveDevice(
  { oauth, daemons, grants }: ApprovalOptions,
  userCode: string,
  account: Account,
): Promise<void> {
  const code = await oauth.provider.DeviceCode.findByUserCode(userCode.toUpperCase().replace(/\W/g, ''));
  if (!code) throw new StartupError(`There is no code ${userCode}, or it has expired. Start again to get a new one.`);
  if (code.accountId !== undefined || code.error !== undefined || code.inFlight)
    throw new StartupError(`The code ${userCode} was already used. Start again to get a new one.`);
  const wish = wishOf(code.params ?? {});
  const owned = wish.isLink ? [] : (await daemons.ofAccount(account.id)).map(({ daemonId }) => daemonId);
  const daemonIds = wish.daemonIds.length === 0 ? owned : owned.filter((id) => wish.daemonIds.includes(id));
  const { grantId, resources } = await allow({ oauth, grants }, wish, { accountId: account.id, daemonIds });
  Object.assign(code, {
    accountId: account.id,
    grantId,
    scope: [...wish.identityScopes, ...wish.scopes].join(' '),
    resource: resources,
  });
  await code.save();
}
