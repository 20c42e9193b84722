import type { Session } from '../../api/session.ts';

/** What every page of the host gets. */
export interface HostPageProps {
  session: Session;
}
