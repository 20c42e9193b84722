import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconLogout, IconPlus, IconSearch, IconServer, IconSunMoon, IconUserPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import { useInstances } from '../../api/instances.ts';
import { type Session, useSignOut } from '../../api/session.ts';
import { useWords } from '../../text/section.ts';
import { PhaseMark } from '../../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../../ui/display/phase.ts';
import { serverName } from '../../ui/display/server-name.ts';
import { hostPagesFor } from '../host-pages.tsx';
import { shellText } from '../shell-text.ts';
import { findActions } from './find-actions.ts';
import { otherNames } from './other-names.ts';
import { usePlayerActions } from './use-player-actions.tsx';
import { useServerActions } from './use-server-actions.tsx';
import { useTabActions } from './use-tab-actions.tsx';

/** More would take long to show; typing finds them. */
const MOST_SHOWN = 60;

/**
 * The command palette, which `usePaletteKeys` opens: servers and pages; the tabs and actions of the open server, and on a search those of
 * every server, with the players that the panel knows.
 */
export function Palette({ session }: { session: Session }) {
  const t = useWords(shellText);
  const [query, setQuery] = useState('');
  return (
    <Spotlight.Root query={query} onQueryChange={setQuery} shortcut={null} scrollable>
      <Spotlight.Search leftSection={<IconSearch size={18} />} placeholder={t('search')} aria-label={t('search')} />
      <Actions session={session} query={query} />
    </Spotlight.Root>
  );
}

/** A component of its own, so that only an open palette follows the servers. */
function Actions({ session, query }: { session: Session; query: string }) {
  const t = useWords(shellText);
  const other = useWords(otherNames);
  const label = usePhaseLabel();
  const [, params] = useRoute<{ id: string; tab: string }>('/servers/:id/:tab');
  const instances = useInstances().data ?? [];
  const toPage = usePageAction();
  const tabsOf = useTabActions(session);
  const actionsOf = useServerActions(session, params?.id);
  const playersOf = usePlayerActions();
  const hostActions = useHostActions(session);
  const open = instances.find(({ id }) => id === params?.id);
  const others = query === '' ? [] : instances.filter((instance) => instance !== open);
  const servers = [
    toPage('/', t('overview'), <IconServer size={18} />),
    ...instances.map((instance) => ({
      ...toPage(`/servers/${instance.id}`, serverName(instance), <PhaseMark phase={phaseOf(instance)} size={16} />),
      description: label(instance),
    })),
    ...others.flatMap(tabsOf),
    ...others.flatMap(actionsOf),
    ...(session.role === 'admin'
      ? [{ ...toPage('/new', t('newServer'), <IconPlus size={18} />), keywords: other('newServer') }]
      : []),
  ];
  const groups = [
    ...(open ? [{ group: t('thisServer'), actions: [...tabsOf(open), ...actionsOf(open)] }] : []),
    { group: t('servers'), actions: servers },
    { group: t('playersGroup'), actions: query === '' ? [] : instances.flatMap(playersOf) },
    { group: t('host'), actions: hostActions },
  ];
  const found = findActions(query, groups, MOST_SHOWN);
  if (found.length === 0) return <Spotlight.Empty>{t('nothing')}</Spotlight.Empty>;
  return (
    <Spotlight.ActionsList>
      {found.map(({ group, actions }) => (
        <Spotlight.ActionsGroup key={group} label={group}>
          {actions.map(({ id, ...action }) => (
            <Spotlight.Action key={id} highlightQuery {...action} />
          ))}
        </Spotlight.ActionsGroup>
      ))}
    </Spotlight.ActionsList>
  );
}

function usePageAction(): (path: string, label: string, icon: ReactNode) => SpotlightActionData {
  const [, navigate] = useLocation();
  return (path, label, icon) => ({ id: path, label, leftSection: icon, onClick: () => navigate(path) });
}

/** The host's pages, a new user, and what the browser remembers. */
function useHostActions(session: Session): SpotlightActionData[] {
  const t = useWords(shellText);
  const other = useWords(otherNames);
  const toPage = usePageAction();
  const { toggleColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const pages = hostPagesFor(session).map(({ path, label, icon }) => toPage(path, t(label), icon));
  const newUser = toPage('/host/users?new=user', t('newUser'), <IconUserPlus size={18} />);
  return [
    ...pages,
    ...(pages.some(({ id }) => id === '/host/users') ? [{ ...newUser, keywords: other('newUser') }] : []),
    {
      id: 'scheme',
      label: t('scheme'),
      keywords: other('scheme'),
      leftSection: <IconSunMoon size={18} />,
      onClick: () => toggleColorScheme(),
    },
    {
      id: 'sign-out',
      label: t('signOut'),
      keywords: other('signOut'),
      leftSection: <IconLogout size={18} />,
      onClick: () => signOut.mutate(),
    },
  ];
}
