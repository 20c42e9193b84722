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
import { roleOn } from '../api/roles.ts';
import { type Session, useSignOut } from '../api/session.ts';
import { useSoftware } from '../api/software.ts';
import type { Instance } from '../api/transport/client.ts';
import { disconnecting } from '../pages/server/header/DisconnectPlayers.tsx';
import { serverText } from '../pages/server/server-text.ts';
import { tabsFor } from '../pages/server/tabs.ts';
import { section, useWords } from '../text/section.ts';
import { PhaseMark } from '../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../ui/display/phase.ts';
import { notifyProblem } from '../ui/feedback/notify.tsx';
import { hostPagesFor } from './host-pages.tsx';
import { shellText } from './shell-text.ts';

const text = section({
  en: { start: 'Start {name}', stop: 'Stop {name}', restart: 'Restart {name}' },
  de: { start: '{name} starten', stop: '{name} stoppen', restart: '{name} neu starten' },
  zh: { start: '启动 {name}', stop: '停止 {name}', restart: '重启 {name}' },
});

/** The shortcut also works in input fields, above all in the console. */
const IGNORED_TAGS: string[] = [];

/** The command palette (Ctrl+K): servers, the tabs of the open one, pages and actions. */
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
      tagsToIgnore={IGNORED_TAGS}
      nothingFound={t('nothing')}
      highlightQuery
      scrollable
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: t('search'), 'aria-label': t('search') }}
    />
  );
}

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
  const words = useWords(text);
  const label = usePhaseLabel();
  const [, navigate] = useLocation();
  const instances = useInstances().data ?? [];
  const lifecycle = useLifecycle();

  const actionsOf = (instance: Instance): SpotlightActionData[] => {
    const { id, name, status } = instance;
    if (roleOn(session, id) === 'viewer') return [];
    const entry = (action: 'start' | 'stop' | 'restart', icon: React.ReactNode): SpotlightActionData => ({
      id: `${action} ${id}`,
      label: words(action, { name }),
      leftSection: icon,
      onClick: () => {
        const run = () => lifecycle.mutateAsync({ id, action });
        if (action === 'start') run().catch(notifyProblem);
        else disconnecting(instance, action, { run, onError: notifyProblem });
      },
    });
    const start = entry('start', <IconPlayerPlay size={18} />);
    const stop = entry('stop', <IconPlayerStop size={18} />);
    if (phaseOf(instance) === 'sleeping') return [start, stop];
    return status === 'stopped' ? [start] : [stop, entry('restart', <IconRefresh size={18} />)];
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
