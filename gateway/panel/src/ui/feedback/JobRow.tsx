import { ActionIcon, Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useInstances } from '../../api/instances.ts';
import { useCancelJob } from '../../api/jobs.ts';
import type { Job } from '../../api/transport/client.ts';
import { isActive } from '../../api/visible-jobs.ts';
import { useLanguage } from '../../text/language.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { RelativeTime } from '../display/RelativeTime.tsx';
import { serverNameOf } from '../display/server-name.ts';
import { jobsText } from './jobs-text.ts';
import { notifyProblem } from './notify.tsx';
import { problemText } from './problems/problems.ts';

export function JobRow({ job, onDismiss }: { job: Job; onDismiss?: () => void }) {
  const t = useWords(jobsText);
  const quantities = useQuantities();
  const { language } = useLanguage();
  const cancel = useCancelJob();
  const reducedMotion = useReducedMotion();
  const name = serverNameOf(job.instanceId, useInstances().data);
  const title = t(job.kind in jobsText.en ? (job.kind as keyof typeof jobsText.en) : 'other', { name });
  const details = [
    job.state === 'queued' ? t('queued') : quantities.percent(Math.floor(job.percent)),
    job.bytesPerSecond === undefined ? undefined : t('perSecond', { size: quantities.size(job.bytesPerSecond) }),
    job.remainingSeconds === undefined ? undefined : t('left', { time: quantities.duration(job.remainingSeconds) }),
  ].filter((detail) => detail !== undefined);
  const active = isActive(job);
  const translated = job.error && problemText(job.error.code, language);
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Text size="sm" truncate>
          {title}
        </Text>
        {active ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            loading={cancel.isPending}
            onClick={() => cancel.mutate(job.jobId, { onError: notifyProblem })}
            aria-label={t('cancel')}
          >
            <IconX size={14} />
          </ActionIcon>
        ) : (
          onDismiss && (
            <ActionIcon variant="subtle" color="gray" size={24} onClick={onDismiss} aria-label={t('dismiss')}>
              <IconX size={14} />
            </ActionIcon>
          )
        )}
      </Group>
      {active && (
        <>
          <Progress
            value={job.percent}
            animated={job.state === 'running' && !reducedMotion}
            size="sm"
            aria-label={title}
          />
          <Text size="xs" c="dimmed">
            {details.join(' · ')}
          </Text>
        </>
      )}
      {job.state === 'failed' && job.endedAt && <RelativeTime at={job.endedAt} size="xs" c="dimmed" />}
      {job.error && (
        <Text size="xs" c="danger" role="alert">
          {t('failed', { why: translated?.about ?? job.error.detail })}{' '}
          {translated && <span lang="en">{job.error.detail} </span>}
          <Anchor inherit href={`/docs/errors#${job.error.code}`} target="_blank" rel="noreferrer" td="underline">
            {t('whatToDo')}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
