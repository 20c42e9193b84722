import type { Instance, Schemas } from '../../api/client.ts';

/** What every tab of a server gets. */
export interface TabProps {
  instance: Instance;
  session: Schemas['LoginResponse'];
}
