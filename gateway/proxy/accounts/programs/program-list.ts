import type { LinkedDaemon } from '../../daemons/directory.ts';
import type { Clients } from '../../oauth/clients.ts';
import type { Grants } from '../../oauth/grants.ts';
import type { ProgramAccess } from '../../pages/account/account-page.ts';

/** Returns a function that lists the programs that an account has let in, with names instead of ids. */
export function createProgramList({ clients, grants }: { clients: Clients; grants: Grants }) {
  return async (accountId: string, daemons: readonly LinkedDaemon[]): Promise<ProgramAccess[]> => {
    const names = new Map(daemons.map(({ daemonId, name }) => [daemonId, name]));
    const granted = await grants.ofAccount(accountId);
    return Promise.all(
      granted.map(async ({ grantId, clientId, daemonIds, scopes, grantedAt }) => ({
        grantId,
        program: (await clients.find(clientId))?.client_name ?? 'A program that no longer exists',
        computers: daemonIds.map((id) => names.get(id) ?? 'a computer that was removed'),
        scopes,
        grantedAt,
      })),
    );
  };
}
