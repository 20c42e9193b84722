import { Box, Center, Loader, Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import type { Schemas } from '../../api/client.ts';
import { useInstance, useInstances } from '../../api/instances.ts';
import { useSoftware } from '../../api/software.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { NotFound } from '../NotFound.tsx';
import { ServerHead } from './ServerHead.tsx';
import { serverText } from './server-text.ts';
import type { TabProps } from './tab-props.ts';
import { TABS } from './tabs.ts';

const PAGES = Object.fromEntries(TABS.map(({ tab, load }) => [tab, lazy(load)]));

/** One server: its head, and the tab that the address names. Tabs that a user may not use are not shown. */
export function ServerPage({ id, tab, session }: { id: string; tab: string; session: Schemas['LoginResponse'] }) {
  const t = useWords(serverText);
  const [, navigate] = useLocation();
  const instances = useInstances();
  const instance = useInstance(id);
  const kinds = useSoftware();
  if (instances.isError && !instances.data)
    return (
      <Box p="md">
        <ProblemAlert error={instances.error} onRetry={() => void instances.refetch()} />
      </Box>
    );
  if (instances.isPending || kinds.isPending) return <Waiting />;
  const software = kinds.data?.find(({ kind }) => kind === instance?.software);
  const shown = TABS.filter(({ isFor }) => instance && isFor({ instance, session, software }));
  const Page = shown.some((each) => each.tab === tab) ? PAGES[tab] : undefined;
  if (!instance || !Page) return <NotFound />;
  const props: TabProps = { instance, session, software };
  return (
    <Box className="server-page">
      <ServerHead {...props} />
      <Tabs value={tab} onChange={(next) => next && navigate(`/servers/${id}/${next}`)} keepMounted={false}>
        <Tabs.List px="md" style={{ flexWrap: 'nowrap', overflowX: 'auto' }}>
          {shown.map((each) => (
            <Tabs.Tab
              key={each.tab}
              value={each.tab}
              style={{ flexShrink: 0 }}
              // On a phone not all fit side by side.
              ref={(element) => {
                if (each.tab === tab) element?.scrollIntoView({ block: 'nearest', inline: 'center' });
              }}
            >
              {t(each.tab)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Box
        role="tabpanel"
        aria-label={shown.some((each) => each.tab === tab) ? t(tab as (typeof TABS)[number]['tab']) : undefined}
        flex={1}
        mih={0}
      >
        <Suspense fallback={<Waiting />}>
          <Page {...props} />
        </Suspense>
      </Box>
    </Box>
  );
}

function Waiting() {
  return (
    <Center mih="40vh">
      <Loader size="sm" />
    </Center>
  );
}
