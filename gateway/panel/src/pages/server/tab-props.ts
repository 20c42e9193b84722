import type { Session } from '../../api/session.ts';
import type { Instance, Schemas } from '../../api/transport/client.ts';

export interface TabProps {
  instance: Instance;
  /** With the user's role on this server. */
  session: Session;
  /** The server's kind; absent while it loads. */
  software: Schemas['Software'] | undefined;
}
