import { Box, Tabs } from '@mantine/core';
import { Suspense } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useInstance, useInstances } from '../../api/instances.ts';
import { roleOn } from '../../api/roles.ts';
import type { Session } from '../../api/session.ts';
import { useSoftware } from '../../api/software.ts';
import { phaseOf } from '../../ui/display/phase.ts';
import { Loading } from '../../ui/feedback/Loading.tsx';
import { lazyPart } from '../../ui/feedback/lazy-part.ts';
import { PartBoundary } from '../../ui/feedback/PartBoundary.tsx';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { NotFound } from '../NotFound.tsx';
import { ServerHeader } from './header/ServerHeader.tsx';
import { ServerNotices } from './header/ServerNotices.tsx';
import { TabList } from './TabList.tsx';
import type { TabProps } from './tab-props.ts';
import { FIRST_TAB, TABS, tabsFor } from './tabs.ts';

const PendingRestart = lazyPart(async () => (await import('./header/PendingRestart.tsx')).PendingRestart);
const PAGES = Object.fromEntries(TABS.map(({ tab, load }) => [tab, lazyPart(load)]));

/** One server: its header, and the tab that the URL names. */
export function ServerPage({ id, tab, session }: { id: string; tab: string; session: Session }) {
  const [, navigate] = useLocation();
  const instances = useInstances();
  const instance = useInstance(id);
  const kinds = useSoftware();
  if (instances.isError && !instances.data)
    return (
      <Box className="page-width" py="md">
        <ProblemAlert error={instances.error} onRetry={() => void instances.refetch()} />
      </Box>
    );
  if (instances.isPending || kinds.isPending) return <Loading />;
  const here = { ...session, role: roleOn(session, id) };
  const software = kinds.data?.find(({ kind }) => kind === instance?.software);
  if (!instance || !TABS.some((each) => each.tab === tab)) return <NotFound />;
  const props: TabProps = { instance, session: here, software };
  const shown = tabsFor(props);
  const Page = shown.some((each) => each.tab === tab) ? PAGES[tab] : undefined;
  // The navigation keeps the tab when the user goes to another server, which may lack it.
  if (!Page) return <Redirect to={`/servers/${id}/${FIRST_TAB}`} replace />;
  return (
    <Box className="server-page">
      <ServerHeader {...props} />
      <Tabs
        className="server-tab"
        value={tab}
        onChange={(next) => next && navigate(`/servers/${id}/${next}`)}
        keepMounted={false}
      >
        <TabList tabs={shown} selected={tab} />
        <ServerNotices instance={instance} session={here} />
        {(instance.pendingRestart || instance.restartWhenEmpty) && phaseOf(instance) !== 'stopping' && (
          <PartBoundary resetKey={id}>
            <Suspense fallback={null}>
              <PendingRestart {...props} />
            </Suspense>
          </PartBoundary>
        )}
        <Tabs.Panel value={tab} className="server-tab">
          <PartBoundary resetKey={tab}>
            <Suspense fallback={<Loading />}>
              <Page {...props} />
            </Suspense>
          </PartBoundary>
        </Tabs.Panel>
      </Tabs>
    </Box>
  );
}
