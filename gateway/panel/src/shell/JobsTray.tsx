import { Box, Stack, Text } from '@mantine/core';
import { useUnsettledJobs } from '../api/jobs.ts';
import { isUnderWay } from '../api/visible-jobs.ts';
import { useWords } from '../text/section.ts';
import { JobRow } from '../ui/feedback/JobRow.tsx';
import { jobsText } from '../ui/feedback/jobs-text.ts';

/** Work under way, and what failed until somebody takes note, wherever one is: where it covers nothing. */
export function JobsTray() {
  const t = useWords(jobsText);
  const { jobs, dismiss } = useUnsettledJobs();
  if (jobs.length === 0) return null;
  const title = t(jobs.some(isUnderWay) ? 'title' : 'titleFailed');
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
