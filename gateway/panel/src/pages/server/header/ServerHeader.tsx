import { Alert, Badge, Box, Group, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useJobs } from '../../../api/jobs.ts';
import type { Session } from '../../../api/session.ts';
import { useSoftwareName } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { isActive } from '../../../api/visible-jobs.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { PhaseMark } from '../../../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../../../ui/display/phase.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { JobRow } from '../../../ui/feedback/JobRow.tsx';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import { serverAddress } from '../labels.ts';
import { serverText } from '../server-text.ts';
import { LifecycleButtons } from './LifecycleButtons.tsx';
import { LiveStats } from './LiveStats.tsx';

export function ServerHeader({ instance, session }: { instance: Instance; session: Session }) {
  const t = useWords(serverText);
  const label = usePhaseLabel();
  const softwareName = useSoftwareName();
  const isPhone = useIsPhone();
  const { name, crash, degraded, leftovers = [] } = instance;
  const phase = phaseOf(instance);
  const jobs = useJobs().data ?? [];
  // On a phone the jobs tray is right above.
  const installing = isPhone
    ? []
    : jobs.filter((job) => job.kind === 'provision' && job.instanceId === instance.id && isActive(job));
  return (
    <Box px="md" pt={{ base: 'xs', sm: 'md' }} pb="xs">
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Group gap="4px 12px" miw={0} mih={36}>
          <Title order={1} lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Title>
          <Badge
            variant="default"
            tt="none"
            fw={500}
            leftSection={<PhaseMark phase={phase} size={10} />}
            data-testid="phase"
          >
            {label(instance)}
          </Badge>
          <Text size="sm" c="dimmed">
            {softwareName(instance)}
          </Text>
          <CopyText value={serverAddress(instance)} />
        </Group>
        {session.role !== 'viewer' && <LifecycleButtons instance={instance} compact={isPhone} />}
      </Group>
      <LiveStats instance={instance} />
      {installing.map((job) => (
        <Box key={job.jobId} mt="xs" maw={480}>
          <JobRow job={job} />
        </Box>
      ))}
      {degraded && (
        <Alert mt="xs" color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t(degraded, { processes: leftovers.map(({ pid, command }) => `${command} (${pid})`).join(', ') })}
        </Alert>
      )}
      {phase === 'crashed' && crash && (
        <Alert
          mt="xs"
          color="red"
          variant="light"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={
            <>
              {t(crash.exitCode === null && crash.signal === null ? 'notStarted' : 'crashed')}{' '}
              <RelativeTime at={crash.at} fw={400} />
            </>
          }
        >
          {crash.reason}
        </Alert>
      )}
    </Box>
  );
}
