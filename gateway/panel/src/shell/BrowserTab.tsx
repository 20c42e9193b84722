import { useEffect } from 'react';
import { useRoute } from 'wouter';
import { useInstance, useInstances } from '../api/instances.ts';
import type { Session } from '../api/session.ts';
import { serverText } from '../pages/server/server-text.ts';
import { TABS } from '../pages/server/tabs.ts';
import { useWords } from '../text/section.ts';
import { markWithDot } from '../ui/brand/mark.ts';
import { phaseOf } from '../ui/display/phase.ts';
import { hostPagesFor } from './host-pages.tsx';
import { shellText } from './shell-text.ts';
import { tabStateOf, tabTitle } from './tab-state.ts';

/** Shows the state of the servers in the browser tab's icon and title, and the page's name in the title. */
export function BrowserTab({ session }: { session: Session }) {
  const page = usePageName(session);
  const phases = useInstances().data?.map(phaseOf);
  const { color } = tabStateOf(phases ?? []);
  const title = tabTitle(phases, page);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]') ?? document.createElement('link');
    link.rel = 'icon';
    link.href = `data:image/svg+xml,${encodeURIComponent(markWithDot(color))}`;
    document.head.append(link);
    document.title = title;
  }, [color, title]);
  return null;
}

/** Returns the name of the current page; `undefined` for the overview and for unknown addresses. */
function usePageName(session: Session): string | undefined {
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
