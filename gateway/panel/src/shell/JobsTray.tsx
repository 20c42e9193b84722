import { Box, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Job } from '../api/client.ts';
import { isUnderWay, useJobs } from '../api/jobs.ts';
import { useWords } from '../text/section.ts';
import { JobRow } from '../ui/JobRow.tsx';
import { jobsText } from './jobs-text.ts';

/** Work under way, and what failed since this page was opened, wherever one is: where it covers nothing. */
export function JobsTray() {
  const t = useWords(jobsText);
  const [openedAt] = useState(Date.now);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const isShown = (job: Job) =>
    isUnderWay(job) ||
    (job.state === 'failed' && Date.parse(job.endedAt ?? job.createdAt) > openedAt && !dismissed.has(job.jobId));
  const shown = useJobs().data?.filter(isShown) ?? [];
  if (shown.length === 0) return null;
  return (
    <Box p="sm" className="jobs-tray" component="section" aria-label={t('title')}>
      <Stack gap="sm">
        <Text size="xs" fw={600} c="dimmed">
          {t('title')}
        </Text>
        {shown.map((job) => (
          <JobRow
            key={job.jobId}
            job={job}
            onDismiss={() => setDismissed((before) => new Set(before).add(job.jobId))}
          />
        ))}
      </Stack>
    </Box>
  );
}
