import type { Values } from '../../../../shared/domain/software/placeholders.ts';
import type { SystemUser } from '../../../../shared/node/processes/system-user.ts';
import type { Installation, SoftwareOptions } from '../installation.ts';

/** What every step of an installation gets. */
export interface StepContext {
  installation: Installation;
  options: SoftwareOptions;
  /** The server's folder, links resolved. */
  root: string;
  /** For placeholders: everything but ports. */
  values: Values;
  /** The user that the server runs as, if that is another than ours. */
  user: SystemUser | undefined;
}
