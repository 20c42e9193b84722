import { Box } from '@mantine/core';
import type { ComponentType } from 'react';
import { hostPagesFor } from '../../shell/host-pages.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { NotFound } from '../NotFound.tsx';
import type { HostPageProps } from './host-page-props.ts';

const PAGES: Record<string, ComponentType<HostPageProps>> = {
  users: lazyPart(async () => (await import('./users/UsersPage.tsx')).UsersPage),
  tokens: lazyPart(async () => (await import('./tokens/TokensPage.tsx')).TokensPage),
  games: lazyPart(async () => (await import('./games/GamesPage.tsx')).GamesPage),
  java: lazyPart(async () => (await import('./java/JavaPage.tsx')).JavaPage),
  storage: lazyPart(async () => (await import('./storage/StoragePage.tsx')).StoragePage),
  remote: lazyPart(async () => (await import('./remote/RemotePage.tsx')).RemotePage),
  link: lazyPart(async () => (await import('./link/LinkPage.tsx')).LinkPage),
  audit: lazyPart(async () => (await import('./audit/AuditPage.tsx')).AuditPage),
  account: lazyPart(async () => (await import('./account/AccountPage.tsx')).AccountPage),
  about: lazyPart(async () => (await import('./about/AboutPage.tsx')).AboutPage),
};

/** Shows one of the host's pages. A page that the user may not open counts as not found. */
export function HostPage({ page, session }: { page: string } & HostPageProps) {
  const isTheirs = hostPagesFor(session).some(({ path }) => path === `/host/${page}`);
  const Page = PAGES[page];
  if (!isTheirs || !Page) return <NotFound />;
  return (
    <Box className="page-width" py="md">
      <Page session={session} />
    </Box>
  );
}
