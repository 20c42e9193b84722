import { Alert, Box, Button, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useJobs } from '../../../api/jobs.ts';
import { isActive } from '../../../api/visible-jobs.ts';
import { useWords } from '../../../text/section.ts';
import { failedToStart } from '../../../ui/display/phase.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { JobRow } from '../../../ui/feedback/JobRow.tsx';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import { serverText } from '../server-text.ts';
import type { TabProps } from '../tab-props.ts';
import { FailedStart } from './FailedStart.tsx';

/** What needs attention now: an installation, a crash, a failed start, a lost process. Below the tabs, which therefore do not move. */
export function ServerNotices({ instance, session }: Pick<TabProps, 'instance' | 'session'>) {
  const t = useWords(serverText);
  const isPhone = useIsPhone();
  const { id, phase, crash, degraded, leftovers = [] } = instance;
  const jobs = useJobs().data ?? [];
  // On a phone the jobs tray is right above.
  const installing = isPhone
    ? []
    : jobs.filter((job) => job.kind === 'provision' && job.instanceId === id && isActive(job));
  const crashed = phase === 'crashed' ? crash : undefined;
  const notStarted = failedToStart(instance);
  if (installing.length === 0 && !degraded && !crashed) return null;
  const notice = { variant: 'light', icon: <IconAlertTriangle size={18} aria-hidden /> } as const;
  return (
    <Stack className="page-width" gap="xs" pt="xs">
      {installing.map((job) => (
        <Box key={job.jobId} maw={480}>
          <JobRow job={job} />
        </Box>
      ))}
      {degraded && (
        <Alert color="warning" {...notice}>
          {t(degraded, { processes: leftovers.map(({ pid, command }) => `${command} (${pid})`).join(', ') })}
        </Alert>
      )}
      {crashed && (
        <Alert
          color="danger"
          {...notice}
          title={
            <>
              {t(notStarted ? 'notStarted' : 'crashed')} <RelativeTime at={crashed.at} fw={400} />
            </>
          }
        >
          {notStarted ? (
            <FailedStart instance={instance} session={session} />
          ) : (
            <>
              <span lang="en">{crashed.reason}</span>{' '}
              <Link href={`/servers/${id}/crashes`} style={{ textDecoration: 'underline' }}>
                {t('report')}
              </Link>
              {crashed.setting && session.role === 'admin' && (
                <Box mt="xs">
                  <Button component={Link} href={`/servers/${id}/settings`} size="compact-sm" variant="default">
                    {t(crashed.setting)}
                  </Button>
                </Box>
              )}
            </>
          )}
        </Alert>
      )}
    </Stack>
  );
}
