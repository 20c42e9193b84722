import { Redirect, Route, Switch } from 'wouter';
import type { Session } from '../api/session.ts';

import { NotFound } from '../pages/NotFound.tsx';
import { Overview } from '../pages/overview/Overview.tsx';
import { FIRST_TAB, TABS } from '../pages/server/tabs.ts';
import { lazyPart } from '../ui/feedback/lazy-part.ts';

// Loaded on demand, to keep the first load small.
const loadServerPage = () => import('../pages/server/ServerPage.tsx');
const ServerPage = lazyPart(async () => (await loadServerPage()).ServerPage);
const NewServer = lazyPart(async () => (await import('../pages/new-server/NewServer.tsx')).NewServer);
const HostPage = lazyPart(async () => (await import('../pages/host/HostPage.tsx')).HostPage);

export function Pages({ session }: { session: Session }) {
  return (
    <Switch>
      <Route path="/">
        <Overview session={session} />
      </Route>
      <Route path="/new">
        <NewServer />
      </Route>
      <Route path="/servers/:id">{({ id }) => <Redirect to={`/servers/${id}/${FIRST_TAB}`} replace />}</Route>
      <Route path="/servers/:id/:tab">
        {({ id, tab }) => <ServerPage key={id} id={id} tab={tab} session={session} />}
      </Route>
      <Route path="/host/:page">{({ page }) => <HostPage page={page} session={session} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/** Starts to load the server page that a URL leads to. Otherwise it would load only after the session is known. */
export function preloadPage(path: string): void {
  const [, tab] = /^\/ui\/servers\/[^/]+\/([^/]+)/.exec(path) ?? [];
  if (tab === undefined) return;
  // `lazy` loads a missing part again and shows the error.
  Promise.all([loadServerPage(), TABS.find((each) => each.tab === tab)?.load()]).catch(() => undefined);
}
