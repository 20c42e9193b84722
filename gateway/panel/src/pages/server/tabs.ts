import type { ComponentType } from 'react';
import type { Instance, Schemas } from '../../api/client.ts';

export interface TabProps {
  instance: Instance;
  session: Schemas['LoginResponse'];
}

interface Tab {
  tab: 'console';
  isFor: (props: TabProps) => boolean;
  /** Loads the page when it is first opened. */
  load: () => Promise<{ default: ComponentType<TabProps> }>;
}

/** The tabs of a server, in order. The console comes first. */
export const TABS: readonly Tab[] = [
  {
    tab: 'console',
    isFor: () => true,
    load: async () => ({ default: (await import('../../console/ConsoleTab.tsx')).ConsoleTab }),
  },
];
