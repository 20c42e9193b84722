import type { Instance, Schemas } from '../../../api/transport/client.ts';

/** What lets a server start that failed to: a change, which is followed by a start; a look at its settings; or just another attempt. */
export type StartFix = 'usePort' | 'acceptEula' | 'settings' | 'again';

/** By error code. The others may pass: a vendor that does not answer, an installer that failed, a full disk. */
const FIXES: Readonly<Record<string, StartFix>> = {
  port_in_use: 'usePort',
  eula_not_accepted: 'acceptEula',
  invalid_request: 'settings',
  launch_failed: 'settings',
  software_not_found: 'settings',
  version_not_found: 'settings',
};

/** Returns what to offer to a user with this role on the server. Only administrators can change it. */
export function startFixOf({ crash }: Pick<Instance, 'crash'>, role: Schemas['Session']['role']): StartFix | undefined {
  const { code = '', portChange } = crash?.failedStart ?? {};
  const fix = FIXES[code] ?? 'again';
  if (role === 'viewer') return undefined;
  return role !== 'admin' || (fix === 'usePort' && !portChange) ? 'again' : fix;
}
