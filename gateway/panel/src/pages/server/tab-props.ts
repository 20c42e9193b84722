import type { Instance, Schemas } from '../../api/client.ts';

/** What every tab of a server gets. */
export interface TabProps {
  instance: Instance;
  session: Schemas['LoginResponse'];
  /** What is known about its kind; absent while that is asked for. */
  software: Schemas['Software'] | undefined;
}
