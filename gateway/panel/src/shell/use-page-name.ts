import { useRoute } from 'wouter';
import { useInstance } from '../api/instances.ts';
import type { Session } from '../api/session.ts';
import { serverText } from '../pages/server/server-text.ts';
import { TABS } from '../pages/server/tabs.ts';
import { useWords } from '../text/section.ts';
import { hostPagesFor } from './host-pages.tsx';
import { shellText } from './shell-text.ts';

/** What the page at the present address is called; `undefined` for the first page, and where there is none. */
export function usePageName(session: Session): string | undefined {
  const t = useWords(shellText);
  const words = useWords(serverText);
  const [, server] = useRoute<{ id: string; tab: string }>('/servers/:id/:tab');
  const [, host] = useRoute<{ page: string }>('/host/:page');
  const [isNew] = useRoute('/new');
  const name = useInstance(server?.id ?? '')?.name;
  const tab = TABS.find((each) => each.tab === server?.tab)?.tab;
  if (name !== undefined && tab) return `${name}: ${words(tab)}`;
  const page = hostPagesFor(session).find(({ path }) => path === `/host/${host?.page}`);
  if (page) return t(page.label);
  return isNew ? t('newServer') : undefined;
}
