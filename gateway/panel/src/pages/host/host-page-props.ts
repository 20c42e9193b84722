import type { Schemas } from '../../api/client.ts';

/** What every page of the host gets. */
export interface HostPageProps {
  session: Schemas['LoginResponse'];
}
