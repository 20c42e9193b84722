import { Anchor, Group, List, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { useVisibleJobs } from '../../api/jobs.ts';
import type { Session } from '../../api/session.ts';
import type { Instance, Schemas } from '../../api/transport/client.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { ServerName } from '../../ui/display/ServerName.tsx';
import { useNow } from '../../ui/display/use-now.ts';
import { useTabs } from '../server/use-tabs.ts';
import { type Concern, concernsOf, type ServerTask, type Subject } from './attention.ts';
import { concernPage } from './concern-page.ts';
import { overviewText } from './overview-text.ts';

/** Servers that are named before "and … more". */
const MOST_NAMED = 5;

interface AttentionListProps {
  session: Session;
  instances: readonly Instance[];
  host: Schemas['HostState'] | undefined;
}

/** What the owner should look at, the most urgent first; nothing while all is well. */
export function AttentionList({ session, instances, host }: AttentionListProps) {
  const t = useWords(overviewText);
  const { size } = useQuantities();
  const failed = useVisibleJobs().jobs.filter(({ state }) => state === 'failed');
  // The newest of a server, which is the first, counts.
  const failedJobs = new Map(
    failed.toReversed().flatMap(({ instanceId, kind }) => (kind === 'import' ? [] : [[instanceId, kind] as const])),
  );
  const concerns = concernsOf(instances, { host, failedJobs, now: useNow() });
  if (concerns.length === 0) return null;
  return (
    <Paper component="section" aria-labelledby="attention" p="md" mb="md">
      <Title order={2} id="attention" size="h3" mb="xs">
        {t('attention')}
      </Title>
      <List listStyleType="none">
        {concerns.map(({ subject, level, servers }) => (
          <List.Item key={subject} mt={6}>
            <Group gap={8} wrap="nowrap" align="flex-start">
              <IconAlertTriangle
                size={18}
                aria-hidden="true"
                color={`var(--mantine-color-${level}-light-color)`}
                style={{ flexShrink: 0, marginTop: 2 }}
              />
              <Text component="span" size="sm">
                {subject === 'disk' ? (
                  t('diskFull', { free: size(host?.disk?.freeBytes ?? 0) })
                ) : (
                  <About session={session} subject={subject} servers={servers} failedJobs={failedJobs} />
                )}
              </Text>
            </Group>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

interface AboutProps extends Pick<Concern, 'servers'> {
  session: Session;
  subject: Exclude<Subject, 'disk'>;
  failedJobs: ReadonlyMap<string, ServerTask>;
}

function About({ session, subject, servers, failedJobs }: AboutProps) {
  const t = useWords(overviewText);
  const tabsOf = useTabs(session);
  const pageOf = (instance: Instance) =>
    concernPage(subject, instance.id, { task: failedJobs.get(instance.id), tabs: tabsOf(instance) });
  const rest = servers.length - MOST_NAMED;
  return (
    <>
      {t(subject === 'backups' ? 'noBackup' : subject)}:{' '}
      {servers.slice(0, MOST_NAMED).map((instance, index) => (
        <Fragment key={instance.id}>
          {index > 0 && ', '}
          <NamedServer instance={instance} page={pageOf(instance)} />
        </Fragment>
      ))}
      {rest > 0 && ` ${t('more', { count: rest })}`}
    </>
  );
}

function NamedServer({ instance, page }: { instance: Instance; page: string | undefined }) {
  const name = <ServerName instance={instance} />;
  if (page === undefined) return name;
  return (
    <Anchor component={Link} href={page} td="underline">
      {name}
    </Anchor>
  );
}
