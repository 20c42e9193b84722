import { AppShell, Box, Burger, Center, Group, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { Schemas } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { useLiveUpdates } from '../api/live.ts';
import { useWords } from '../text/section.ts';
import { JobsTray } from './JobsTray.tsx';
import { Navigation } from './Navigation.tsx';
import { Pages } from './Pages.tsx';
import { Palette } from './Palette.tsx';
import { shellText } from './shell-text.ts';
import { useFavicon } from './use-favicon.ts';

const HEADER_HEIGHT = 48;

/** What stays while pages change: the servers at the left (a drawer on a phone), work under way, the palette. */
export function Shell({ session }: { session: Schemas['LoginResponse'] }) {
  const t = useWords(shellText);
  const [opened, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  const connection = useConnection();
  useLiveUpdates();
  useFavicon();
  // Another page closes the drawer.
  useEffect(() => {
    if (location) close();
  }, [location, close]);
  return (
    <AppShell
      header={{ height: { base: HEADER_HEIGHT, sm: 0 } }}
      navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      transitionDuration={120}
    >
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={t('menu')} aria-expanded={opened} />
          <Link href="/">
            <Text fw={600}>Gamekeeper</Text>
          </Link>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t('menu')}>
        <Navigation session={session} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {connection === 'lost' && (
          <Box role="status" bg="var(--mantine-color-yellow-light)" px="md" py={4}>
            <Text size="sm">{t('lost')}</Text>
          </Box>
        )}
        <Suspense fallback={<Waiting />}>
          <Pages session={session} />
        </Suspense>
      </AppShell.Main>
      <JobsTray />
      <Palette />
    </AppShell>
  );
}

function Waiting() {
  return (
    <Center mih="50vh">
      <Loader size="sm" />
    </Center>
  );
}
