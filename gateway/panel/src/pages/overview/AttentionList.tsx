import { Anchor, Group, List, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { useVisibleJobs } from '../../api/jobs.ts';
import type { Instance, Schemas } from '../../api/transport/client.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { ServerName } from '../../ui/display/ServerName.tsx';
import { useNow } from '../../ui/display/use-now.ts';
import { type Concern, concernsOf, type Subject } from './attention.ts';
import { overviewText } from './overview-text.ts';

/** Servers that are named before "and … more". */
const MOST_NAMED = 5;

/** Where the user finds out more. */
const TABS: Record<Exclude<Subject, 'disk'>, string> = {
  crashed: 'crashes',
  notStarted: 'console',
  unresponsive: 'console',
  incompatible: 'console',
  leftovers: 'console',
  lag: 'charts',
  backups: 'backups',
  failedTasks: 'backups',
  pausedSchedules: 'schedules',
};

interface AttentionListProps {
  instances: readonly Instance[];
  host: Schemas['HostState'] | undefined;
}

/** What the owner should look at, the most urgent first; nothing while all is well. */
export function AttentionList({ instances, host }: AttentionListProps) {
  const t = useWords(overviewText);
  const { size } = useQuantities();
  const failed = useVisibleJobs().jobs.filter(({ state }) => state === 'failed');
  const concerns = concernsOf(instances, {
    host,
    failedJobs: new Set(failed.map(({ instanceId }) => instanceId)),
    now: useNow(),
  });
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
                  <About subject={subject} servers={servers} />
                )}
              </Text>
            </Group>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

function About({ subject, servers }: Pick<Concern, 'servers'> & { subject: Exclude<Subject, 'disk'> }) {
  const t = useWords(overviewText);
  const rest = servers.length - MOST_NAMED;
  return (
    <>
      {t(subject === 'backups' ? 'noBackup' : subject)}:{' '}
      {servers.slice(0, MOST_NAMED).map((instance, index) => (
        <Fragment key={instance.id}>
          {index > 0 && ', '}
          <Anchor component={Link} href={`/servers/${instance.id}/${TABS[subject]}`} td="underline">
            <ServerName instance={instance} />
          </Anchor>
        </Fragment>
      ))}
      {rest > 0 && ` ${t('more', { count: rest })}`}
    </>
  );
}
