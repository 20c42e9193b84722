import { AppShell, Group, NavLink, Text, UnstyledButton } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconPlus, IconSearch, IconServer } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { useInstances } from '../api/instances.ts';
import type { Session } from '../api/session.ts';
import type { Instance } from '../api/transport/client.ts';
import { playerCount } from '../pages/server/labels.ts';
import { useWords } from '../text/section.ts';
import { Logo } from '../ui/brand/Logo.tsx';
import { PhaseMark } from '../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../ui/display/phase.ts';
import { ServerName } from '../ui/display/ServerName.tsx';
import { hostPagesFor } from './host-pages.tsx';
import { JobsTray } from './JobsTray.tsx';
import { Preferences } from './Preferences.tsx';
import { shellText } from './shell-text.ts';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Navigation({ session, tray }: { session: Session; tray: boolean }) {
  const t = useWords(shellText);
  const [location] = useLocation();
  const mayCreate = session.role === 'admin';
  return (
    <>
      <AppShell.Section px="sm" py="md" visibleFrom="sm">
        <Link href="/">
          <Logo />
        </Link>
      </AppShell.Section>
      <AppShell.Section px="sm" pt={{ base: 'sm', sm: 0 }} pb="xs">
        <UnstyledButton onClick={spotlight.open} w="100%" p={6} bd="1px solid var(--hairline)" bdrs="sm">
          <Group gap="xs" wrap="nowrap">
            <IconSearch size={16} aria-hidden />
            <Text size="sm" c="dimmed" flex={1}>
              {t('search')}
            </Text>
            <Text size="xs" c="dimmed" visibleFrom="sm">
              {IS_MAC ? '⌘ K' : t('shortcut')}
            </Text>
          </Group>
        </UnstyledButton>
      </AppShell.Section>
      <AppShell.Section grow className="navigation" px="xs">
        <NavLink
          component={Link}
          href="/"
          label={t('overview')}
          leftSection={<IconServer size={18} />}
          active={location === '/'}
        />
        <ServerLinks />
        {mayCreate && (
          <NavLink
            component={Link}
            href="/new"
            label={t('newServer')}
            leftSection={<IconPlus size={18} />}
            active={location === '/new'}
            aria-current={location === '/new' ? 'page' : undefined}
          />
        )}
        <Text size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={4}>
          {t('host')}
        </Text>
        {hostPagesFor(session).map(({ path, label, icon }) => (
          <NavLink
            key={path}
            component={Link}
            href={path}
            label={t(label)}
            leftSection={icon}
            active={location.startsWith(path)}
            aria-current={location.startsWith(path) ? 'page' : undefined}
          />
        ))}
        {session.proxy !== undefined && (
          <Text size="xs" c="dimmed" px="sm" pt="xs">
            {t('throughProxy', { proxy: new URL(session.proxy).host })}
          </Text>
        )}
      </AppShell.Section>
      <AppShell.Section>{tray && <JobsTray />}</AppShell.Section>
      <AppShell.Section p="xs" style={{ borderTop: '1px solid var(--hairline)' }}>
        <Preferences username={session.username} />
      </AppShell.Section>
    </>
  );
}

function ServerLinks() {
  const [, open] = useRoute<{ id: string; tab?: string }>('/servers/:id/:tab?');
  return (
    <div className="navigation-servers">
      {useInstances().data?.map((instance) => (
        <ServerLink key={instance.id} instance={instance} tab={open?.tab} active={open?.id === instance.id} />
      ))}
    </div>
  );
}

const { root, section, body } = NavLink.classes;

interface ServerLinkProps {
  instance: Instance;
  /** The tab that is open for the current server. */
  tab: string | undefined;
  active: boolean;
}

/** Links to the open tab. Renders only if the server or the page has changed. Plain elements with the look of `NavLink`: there may be hundreds. */
const ServerLink = memo(({ instance, tab, active }: ServerLinkProps) => {
  const t = useWords(shellText);
  const label = usePhaseLabel();
  const { id, name, status, playersOnline } = instance;
  const players = playersOnline === undefined ? undefined : playerCount(instance);
  const link = useRef<HTMLAnchorElement>(null);
  // The list may be longer than the window.
  useEffect(() => {
    if (active) link.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <Link
      ref={link}
      href={tab === undefined ? `/servers/${id}` : `/servers/${id}/${tab}`}
      className={`mantine-focus-auto ${root} ${UnstyledButton.classes.root}`}
      data-active={active || undefined}
      aria-current={active ? 'page' : undefined}
    >
      <span className={section} data-position="left">
        <span role="img" aria-label={label(instance)} title={label(instance)} className="server-mark">
          <PhaseMark phase={phaseOf(instance)} />
        </span>
      </span>
      <span className={`${body} small-text truncated`} title={name}>
        <ServerName instance={instance} />
      </span>
      <span
        className={`${section} tiny-text dimmed`}
        data-position="right"
        {...(players && { title: t('players', { players }) })}
      >
        {status === 'running' ? players : status === 'stopped' && t('off')}
      </span>
    </Link>
  );
});
