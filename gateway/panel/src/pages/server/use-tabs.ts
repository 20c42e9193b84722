import { roleOn } from '../../api/roles.ts';
import type { Session } from '../../api/session.ts';
import { useSoftware } from '../../api/software.ts';
import type { Instance } from '../../api/transport/client.ts';
import { type Tab, tabsFor } from './tabs.ts';

/** Returns a function that returns the names of a server's tabs, of those that the user may open. */
export function useTabs(session: Session): (instance: Instance) => Tab['tab'][] {
  const kinds = useSoftware().data;
  return (instance) => {
    const here = { ...session, role: roleOn(session, instance.id) };
    const software = kinds?.find(({ kind }) => kind === instance.software);
    return tabsFor({ instance, session: here, software }).map(({ tab }) => tab);
  };
}
