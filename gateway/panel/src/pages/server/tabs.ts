import type { ComponentType } from 'react';
import { filesOn } from '../../api/roles.ts';
import type { TabProps } from './tab-props.ts';

export interface Tab {
  tab:
    | 'console'
    | 'players'
    | 'properties'
    | 'mods'
    | 'files'
    | 'worlds'
    | 'backups'
    | 'schedules'
    | 'charts'
    | 'crashes'
    | 'tunnel'
    | 'settings';
  isFor: (props: TabProps) => boolean;
  load: () => Promise<ComponentType<TabProps>>;
}

/** Available for every server and every user. */
export const FIRST_TAB = 'console';

export const TABS: readonly Tab[] = [
  {
    tab: 'console',
    isFor: () => true,
    load: async () => (await import('../../console/ConsoleTab.tsx')).ConsoleTab,
  },
  {
    tab: 'players',
    isFor: () => true,
    load: async () => (await import('./players/PlayersTab.tsx')).PlayersTab,
  },
  {
    tab: 'properties',
    isFor: ({ software }) => software?.properties === true,
    load: async () => (await import('./properties/PropertiesTab.tsx')).PropertiesTab,
  },
  {
    tab: 'mods',
    isFor: ({ software }) => software?.mods !== undefined,
    load: async () => (await import('./mods/ModsTab.tsx')).ModsTab,
  },
  {
    tab: 'files',
    isFor: ({ instance, session }) => filesOn(session, instance.id) !== undefined,
    load: async () => (await import('./files/FilesTab.tsx')).FilesTab,
  },
  {
    tab: 'worlds',
    isFor: ({ instance, session, software }) =>
      software?.properties === true && filesOn(session, instance.id) !== undefined,
    load: async () => (await import('./worlds/WorldsTab.tsx')).WorldsTab,
  },
  {
    tab: 'backups',
    isFor: ({ session }) => session.role !== 'viewer',
    load: async () => (await import('./backups/BackupsTab.tsx')).BackupsTab,
  },
  {
    tab: 'schedules',
    isFor: () => true,
    load: async () => (await import('./schedules/SchedulesTab.tsx')).SchedulesTab,
  },
  {
    tab: 'charts',
    isFor: () => true,
    load: async () => (await import('./charts/ChartsTab.tsx')).ChartsTab,
  },
  {
    tab: 'crashes',
    isFor: () => true,
    load: async () => (await import('./crashes/CrashesTab.tsx')).CrashesTab,
  },
  {
    tab: 'tunnel',
    isFor: ({ session }) => session.role === 'admin',
    load: async () => (await import('./tunnel/TunnelTab.tsx')).TunnelTab,
  },
  {
    tab: 'settings',
    isFor: ({ session: { role }, software }) =>
      role === 'admin' ||
      (role === 'operator' && software?.variables.some(({ editableBy }) => editableBy === 'operator') === true),
    load: async () => (await import('./settings/SettingsTab.tsx')).SettingsTab,
  },
];

export function tabsFor(props: TabProps): readonly Tab[] {
  return TABS.filter(({ isFor }) => isFor(props));
}
