import type { Session } from '../../api/session.ts';
import type { Instance, Schemas } from '../../api/transport/client.ts';

/** What every tab of a server gets. */
export interface TabProps {
  instance: Instance;
  /** With the role that the user has on this server. */
  session: Session;
  /** What is known about its kind; absent while that is asked for. */
  software: Schemas['Software'] | undefined;
}
