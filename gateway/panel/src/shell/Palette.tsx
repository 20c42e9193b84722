import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import {
  IconChevronRight,
  IconLogout,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconServer,
  IconSunMoon,
} from '@tabler/icons-react';
import { useLocation, useRoute } from 'wouter';
import { useInstances, useLifecycle } from '../api/instances.ts';
import { roleOn, type Session, useSignOut } from '../api/session.ts';
import { useSoftware } from '../api/software.ts';
import type { Instance } from '../api/transport/client.ts';
import { serverText } from '../pages/server/server-text.ts';
import { tabsFor } from '../pages/server/tabs.ts';
import { useWords } from '../text/section.ts';
import { PhaseMark, phaseOf, usePhaseLabel } from '../ui/display/phase.tsx';
import { notifyProblem } from '../ui/feedback/notify.tsx';
import { hostPagesFor } from './host-pages.tsx';
import { paletteText } from './palette-text.ts';
import { shellText } from './shell-text.ts';

/** It is wanted most where people type: in the console. */
const EVERYWHERE: string[] = [];

/** Ctrl+K: by name, every server, the tabs of the one that is open, every page, and all that the user may do. */
export function Palette({ session }: { session: Session }) {
  const t = useWords(shellText);
  const [, navigate] = useLocation();
  const pages = hostPagesFor(session).map(({ path, label, icon }) => ({
    id: path,
    label: t(label),
    leftSection: icon,
    onClick: () => navigate(path),
  }));
  const actions = [
    { group: t('servers'), actions: useServerActions(session) },
    { group: t('host'), actions: [...pages, ...usePreferenceActions()] },
  ];
  const open = useTabActions(session);
  return (
    <Spotlight
      actions={open ? [open, ...actions] : actions}
      shortcut={['mod + K', 'mod + P']}
      tagsToIgnore={EVERYWHERE}
      nothingFound={t('nothing')}
      highlightQuery
      scrollable
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: t('search'), 'aria-label': t('search') }}
    />
  );
}

/** The tabs of the server that is on the page. */
function useTabActions(session: Session): { group: string; actions: SpotlightActionData[] } | undefined {
  const t = useWords(serverText);
  const [, navigate] = useLocation();
  const [, params] = useRoute<{ id: string; tab: string }>('/servers/:id/:tab');
  const instance = useInstances().data?.find(({ id }) => id === params?.id);
  const kinds = useSoftware().data;
  if (!instance) return undefined;
  const software = kinds?.find(({ kind }) => kind === instance.software);
  const here = { ...session, role: roleOn(session, instance.id) };
  return {
    group: instance.name,
    actions: tabsFor({ instance, session: here, software }).map(({ tab }) => ({
      id: `tab ${tab}`,
      label: `${instance.name}: ${t(tab)}`,
      leftSection: <IconChevronRight size={18} />,
      onClick: () => navigate(`/servers/${instance.id}/${tab}`),
    })),
  };
}

function useServerActions(session: Session): SpotlightActionData[] {
  const t = useWords(shellText);
  const words = useWords(paletteText);
  const label = usePhaseLabel();
  const [, navigate] = useLocation();
  const instances = useInstances().data ?? [];
  const lifecycle = useLifecycle();

  const actionsOf = (instance: Instance): SpotlightActionData[] => {
    const { id, name, status } = instance;
    if (roleOn(session, id) === 'viewer') return [];
    const one = (action: 'start' | 'stop' | 'restart', icon: React.ReactNode): SpotlightActionData => ({
      id: `${action} ${id}`,
      label: words(action, { name }),
      leftSection: icon,
      onClick: () => lifecycle.mutate({ id, action }, { onError: notifyProblem }),
    });
    const start = one('start', <IconPlayerPlay size={18} />);
    const stop = one('stop', <IconPlayerStop size={18} />);
    if (phaseOf(instance) === 'sleeping') return [start, stop];
    return status === 'stopped' ? [start] : [stop, one('restart', <IconRefresh size={18} />)];
  };
  const toPage = (path: string, name: string, icon: React.ReactNode): SpotlightActionData => ({
    id: path,
    label: name,
    leftSection: icon,
    onClick: () => navigate(path),
  });
  return [
    toPage('/', t('overview'), <IconServer size={18} />),
    ...instances.map((instance) => ({
      ...toPage(`/servers/${instance.id}`, instance.name, <PhaseMark phase={phaseOf(instance)} size={16} />),
      description: label(instance),
    })),
    ...instances.flatMap(actionsOf),
    ...(session.role === 'admin' ? [toPage('/new', t('newServer'), <IconPlus size={18} />)] : []),
  ];
}

function usePreferenceActions(): SpotlightActionData[] {
  const t = useWords(shellText);
  const { toggleColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return [
    { id: 'scheme', label: t('scheme'), leftSection: <IconSunMoon size={18} />, onClick: () => toggleColorScheme() },
    { id: 'sign-out', label: t('signOut'), leftSection: <IconLogout size={18} />, onClick: () => signOut.mutate() },
  ];
}
