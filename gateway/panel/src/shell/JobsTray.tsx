import { Box, Stack, Text } from '@mantine/core';
import { useVisibleJobs } from '../api/jobs.ts';
import { isActive } from '../api/visible-jobs.ts';
import { useWords } from '../text/section.ts';
import { JobRow } from '../ui/feedback/JobRow.tsx';
import { jobsText } from '../ui/feedback/jobs-text.ts';

export function JobsTray() {
  const t = useWords(jobsText);
  const { jobs, dismiss } = useVisibleJobs();
  if (jobs.length === 0) return null;
  const title = t(jobs.some(isActive) ? 'title' : 'titleFailed');
  return (
    <Box p="sm" className="jobs-tray" component="section" aria-label={title}>
      <Stack gap="sm">
        <Text size="xs" fw={600} c="dimmed">
          {title}
        </Text>
        {jobs.map((job) => (
          <JobRow key={job.jobId} job={job} onDismiss={() => dismiss(job)} />
        ))}
      </Stack>
    </Box>
  );
}
