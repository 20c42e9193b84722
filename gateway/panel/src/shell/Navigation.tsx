import { AppShell, Group, NavLink, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconPlus, IconSearch, IconServer } from '@tabler/icons-react';
import { Link, useLocation, useRoute } from 'wouter';
import type { Instance, Schemas } from '../api/client.ts';
import { useInstances } from '../api/instances.ts';
import { useWords, type Words } from '../text/section.ts';
import { PhaseMark, phaseOf, usePhaseLabel } from '../ui/phase.tsx';
import { HOST_PAGES } from './host-pages.tsx';
import { Preferences } from './Preferences.tsx';
import { shellText } from './shell-text.ts';

type Key = keyof typeof shellText.en;

/** Every server with its state, one click away from any other on the same tab; below, the host's pages. */
export function Navigation({ session }: { session: Schemas['LoginResponse'] }) {
  const t = useWords(shellText);
  const [location] = useLocation();
  const instances = useInstances();
  const mayCreate = session.role === 'admin';
  return (
    <>
      <AppShell.Section p="sm" visibleFrom="sm">
        <Link href="/">
          <Text fw={600} size="lg">
            Gamekeeper
          </Text>
        </Link>
      </AppShell.Section>
      <AppShell.Section px="sm" pb="xs">
        <UnstyledButton onClick={spotlight.open} w="100%" p={6} bd="1px solid var(--hairline)" bdrs="sm">
          <Group gap="xs" wrap="nowrap">
            <IconSearch size={16} aria-hidden />
            <Text size="sm" c="dimmed" flex={1}>
              {t('search')}
            </Text>
            <Text size="xs" c="dimmed" visibleFrom="sm">
              Ctrl K
            </Text>
          </Group>
        </UnstyledButton>
      </AppShell.Section>
      <AppShell.Section grow component={ScrollArea} px="xs">
        <NavLink
          component={Link}
          href="/"
          label={t('overview')}
          leftSection={<IconServer size={18} />}
          active={location === '/'}
        />
        {instances.data?.map((instance) => (
          <ServerLink key={instance.id} instance={instance} t={t} />
        ))}
        {mayCreate && (
          <NavLink
            component={Link}
            href="/new"
            label={t('newServer')}
            leftSection={<IconPlus size={18} />}
            active={location === '/new'}
          />
        )}
        <Text size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={4}>
          {t('host')}
        </Text>
        {HOST_PAGES.filter(({ role }) => role !== 'admin' || session.role === 'admin').map(({ path, label, icon }) => (
          <NavLink
            key={path}
            component={Link}
            href={path}
            label={t(label)}
            leftSection={icon}
            active={location.startsWith(path)}
          />
        ))}
      </AppShell.Section>
      <AppShell.Section p="xs" style={{ borderTop: '1px solid var(--hairline)' }}>
        <Preferences username={session.username} />
      </AppShell.Section>
    </>
  );
}

function ServerLink({ instance, t }: { instance: Instance; t: Words<Key> }) {
  const label = usePhaseLabel();
  const [, params] = useRoute<{ id: string; tab?: string }>('/servers/:id/:tab?');
  const { id, name, status, playersOnline, maxPlayers } = instance;
  const href = params?.tab === undefined ? `/servers/${id}` : `/servers/${id}/${params.tab}`;
  const players = playersOnline === undefined ? undefined : { online: playersOnline, most: maxPlayers ?? '?' };
  return (
    <NavLink
      component={Link}
      href={href}
      active={params?.id === id}
      leftSection={
        <span role="img" aria-label={label(instance)} title={label(instance)} className="server-mark">
          <PhaseMark phase={phaseOf(instance)} />
        </span>
      }
      label={
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
      }
      rightSection={
        <Text size="xs" c="dimmed" {...(players && { title: t('players', players) })}>
          {status === 'running' && players ? `${players.online}/${players.most}` : status === 'stopped' ? t('off') : ''}
        </Text>
      }
    />
  );
}
