import type { Session } from '../../api/session.ts';

export interface HostPageProps {
  session: Session;
}
