import { lazy } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Session } from '../api/session.ts';
import { Dashboard } from '../pages/Dashboard.tsx';
import { NotFound } from '../pages/NotFound.tsx';
import { FIRST_TAB } from '../pages/server/tabs.ts';

// Loaded on demand, to keep the first load small.
const ServerPage = lazy(async () => ({ default: (await import('../pages/server/ServerPage.tsx')).ServerPage }));
const NewServer = lazy(async () => ({ default: (await import('../pages/new-server/NewServer.tsx')).NewServer }));
const HostPage = lazy(async () => ({ default: (await import('../pages/host/HostPage.tsx')).HostPage }));

export function Pages({ session }: { session: Session }) {
  return (
    <Switch>
      <Route path="/">
        <Dashboard session={session} />
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
