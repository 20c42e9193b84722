import { Box, Stack, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useVisibleJobs } from '../api/jobs.ts';
import { isActive } from '../api/visible-jobs.ts';
import { useWords } from '../text/section.ts';
import { JobRow } from '../ui/feedback/JobRow.tsx';
import { jobsText } from '../ui/feedback/jobs-text.ts';

/**
 * Running and failed jobs. Collapses to one line with their number, and stays so on every page. `folds`: failures take one line until they
 * are opened, because the tray is above every page.
 */
export function JobsTray({ folds = false }: { folds?: boolean }) {
  const t = useWords(jobsText);
  const { jobs, dismiss } = useVisibleJobs();
  const [chosen, choose] = useLocalStorage<'opened' | 'collapsed' | undefined>({
    key: 'gamekeeper.jobs-tray',
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (stored) => (stored === 'opened' || stored === 'collapsed' ? stored : undefined),
  });
  if (jobs.length === 0) return null;
  const running = jobs.filter(isActive).length;
  const failed = jobs.length - running;
  const title = t(running > 0 ? 'title' : 'titleFailed');
  const opened = chosen === undefined ? !folds || running > 0 : chosen === 'opened';
  const Chevron = opened ? IconChevronUp : IconChevronDown;
  return (
    <Box p="sm" className="jobs-tray" component="section" aria-label={title}>
      <Stack gap="sm">
        <UnstyledButton
          className="jobs-tray-title"
          aria-expanded={opened}
          data-failed={failed > 0 || undefined}
          onClick={() => choose(opened ? 'collapsed' : 'opened')}
        >
          {[
            running > 0 && t('count', { title: t('title'), count: running }),
            failed > 0 && t('count', { title: t('titleFailed'), count: failed }),
          ]
            .filter(Boolean)
            .join(' · ')}
          <Chevron size={16} aria-hidden />
        </UnstyledButton>
        {opened && jobs.map((job) => <JobRow key={job.jobId} job={job} onDismiss={() => dismiss(job)} />)}
      </Stack>
    </Box>
  );
}
