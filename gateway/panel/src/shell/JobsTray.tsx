import { Box, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useVisibleJobs } from '../api/jobs.ts';
import { isActive } from '../api/visible-jobs.ts';
import { useWords } from '../text/section.ts';
import { JobRow } from '../ui/feedback/JobRow.tsx';
import { jobsText } from '../ui/feedback/jobs-text.ts';

/** Running and failed jobs. `folds`: failures take one line until they are opened, because the tray is above every page. */
export function JobsTray({ folds = false }: { folds?: boolean }) {
  const t = useWords(jobsText);
  const { jobs, dismiss } = useVisibleJobs();
  const [opened, { toggle }] = useDisclosure(false);
  if (jobs.length === 0) return null;
  const running = jobs.some(isActive);
  const title = t(running ? 'title' : 'titleFailed');
  const canFold = folds && !running;
  const Chevron = opened ? IconChevronUp : IconChevronDown;
  return (
    <Box p="sm" className="jobs-tray" component="section" aria-label={title}>
      <Stack gap="sm">
        {canFold ? (
          <UnstyledButton className="jobs-tray-title" aria-expanded={opened} onClick={toggle}>
            {t('count', { title, count: jobs.length })}
            <Chevron size={16} aria-hidden />
          </UnstyledButton>
        ) : (
          <Text size="xs" fw={600} c="dimmed">
            {title}
          </Text>
        )}
        {(!canFold || opened) && jobs.map((job) => <JobRow key={job.jobId} job={job} onDismiss={() => dismiss(job)} />)}
      </Stack>
    </Box>
  );
}
