import { AppShell, Box, Burger, FocusTrap, Group, Text } from '@mantine/core';
import { useDisclosure, useFocusReturn, useHotkeys } from '@mantine/hooks';
import { Suspense, useDeferredValue, useEffect } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { useConnection } from '../api/live/connection.ts';
import { useLiveUpdates } from '../api/live/use-live-updates.ts';
import type { Session } from '../api/session.ts';
import { DisconnectPlayers } from '../pages/server/header/DisconnectPlayers.tsx';
import { useWords } from '../text/section.ts';
import { Logo } from '../ui/brand/Logo.tsx';
import { Loading } from '../ui/feedback/Loading.tsx';
import { PartBoundary } from '../ui/feedback/PartBoundary.tsx';
import { useIsPhone } from '../ui/use-is-phone.ts';
import { BrowserTab } from './BrowserTab.tsx';
import { JobsTray } from './JobsTray.tsx';
import { Navigation } from './Navigation.tsx';
import { Pages } from './Pages.tsx';
import { Palette } from './palette/Palette.tsx';
import { usePaletteKeys } from './palette/use-palette-keys.ts';
import { SkipToCommand } from './SkipToCommand.tsx';
import { shellText } from './shell-text.ts';
import { Toasts } from './Toasts.tsx';
import { useFinishedNotices } from './use-finished-notices.ts';

const HEADER_HEIGHT = 48;

/**
 * The frame around every page: navigation (a drawer on a phone), jobs, command palette. The parts that show servers follow them on their own:
 * a change of a server must not render everything.
 */
export function Shell({ session }: { session: Session }) {
  const t = useWords(shellText);
  const [opened, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  const [isConsole, params] = useRoute<{ id: string }>('/servers/:id/console');
  const isPhone = useIsPhone();
  const isDrawer = isPhone && opened;
  // The parts that are not on the page are rendered after it.
  const isPageShown = useDeferredValue(true, false);
  useLiveUpdates();
  useFinishedNotices();
  usePaletteKeys();
  useFocusReturn({ opened: isDrawer });
  useHotkeys(isDrawer ? [['Escape', close]] : [], []);
  useEffect(() => {
    if (location) close();
  }, [location, close]);
  return (
    <AppShell
      header={{ height: { base: HEADER_HEIGHT, sm: 0 } }}
      navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      transitionDuration={120}
    >
      {isConsole && <SkipToCommand id={params.id} session={session} />}
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={t('menu')} aria-expanded={opened} />
          <Link href="/">
            <Logo size={24} />
          </Link>
        </Group>
      </AppShell.Header>
      {/* A closed drawer is off screen, so it must not get the focus; an open one covers the page, so it keeps the focus. */}
      <FocusTrap active={isDrawer}>
        <AppShell.Navbar aria-label={t('menu')} inert={isPhone && !opened}>
          <Navigation session={session} tray={!isPhone} />
        </AppShell.Navbar>
      </FocusTrap>
      <AppShell.Main component="div" className="right-side">
        {isPhone && <JobsTray folds />}
        <ConnectionLost />
        <Box component="main" id="content" tabIndex={-1} className="content">
          <PartBoundary resetKey={location}>
            <Suspense fallback={<Loading />}>
              <Pages session={session} />
            </Suspense>
          </PartBoundary>
        </Box>
        {isPageShown && <Toasts />}
      </AppShell.Main>
      {isPageShown && (
        <>
          <DisconnectPlayers />
          <Palette session={session} />
          <BrowserTab session={session} />
        </>
      )}
    </AppShell>
  );
}

function ConnectionLost() {
  const t = useWords(shellText);
  return (
    useConnection() === 'lost' && (
      <Box role="status" className="connection-lost">
        <Text size="sm">{t('lost')}</Text>
      </Box>
    )
  );
}
