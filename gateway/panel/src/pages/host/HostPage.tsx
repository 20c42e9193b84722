import { Container } from '@mantine/core';
import { type ComponentType, lazy } from 'react';
import { hostPagesFor } from '../../shell/host-pages.tsx';
import { NotFound } from '../NotFound.tsx';
import type { HostPageProps } from './host-page-props.ts';

const PAGES: Record<string, ComponentType<HostPageProps>> = {
  users: lazy(async () => ({ default: (await import('./users/UsersPage.tsx')).UsersPage })),
  tokens: lazy(async () => ({ default: (await import('./tokens/TokensPage.tsx')).TokensPage })),
  account: lazy(async () => ({ default: (await import('./account/AccountPage.tsx')).AccountPage })),
  storage: lazy(async () => ({ default: (await import('./storage/StoragePage.tsx')).StoragePage })),
  remote: lazy(async () => ({ default: (await import('./remote/RemotePage.tsx')).RemotePage })),
  link: lazy(async () => ({ default: (await import('./link/LinkPage.tsx')).LinkPage })),
  java: lazy(async () => ({ default: (await import('./java/JavaPage.tsx')).JavaPage })),
  audit: lazy(async () => ({ default: (await import('./audit/AuditPage.tsx')).AuditPage })),
  about: lazy(async () => ({ default: (await import('./about/AboutPage.tsx')).AboutPage })),
};

/** Shows one of the host's pages. A page that the user may not open counts as not found. */
export function HostPage({ page, session }: { page: string } & HostPageProps) {
  const isTheirs = hostPagesFor(session).some(({ path }) => path === `/host/${page}`);
  const Page = PAGES[page];
  if (!isTheirs || !Page) return <NotFound />;
  return (
    <Container size="md" p="md">
      <Page session={session} />
    </Container>
  );
}
