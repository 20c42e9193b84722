import type { SpotlightActionData } from '@mantine/spotlight';
import { IconChevronRight } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { Session } from '../../api/session.ts';
import type { Instance } from '../../api/transport/client.ts';
import { serverText } from '../../pages/server/server-text.ts';
import { useTabs } from '../../pages/server/use-tabs.ts';
import { useWords } from '../../text/section.ts';
import { serverName } from '../../ui/display/server-name.ts';

/** Returns a function that returns a server's tabs, of those that the user may open. */
export function useTabActions(session: Session): (instance: Instance) => SpotlightActionData[] {
  const t = useWords(serverText);
  const [, navigate] = useLocation();
  const tabsOf = useTabs(session);
  return (instance) =>
    tabsOf(instance).map((tab) => ({
      id: `tab ${instance.id} ${tab}`,
      label: `${serverName(instance)}: ${t(tab)}`,
      leftSection: <IconChevronRight size={18} />,
      onClick: () => navigate(`/servers/${instance.id}/${tab}`),
    }));
}
