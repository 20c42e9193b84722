import { Box, Button, Checkbox, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useState } from 'react';
import { useBackups, useBackupWork, useDeleteBackup, useStartBackup } from '../../../api/backups.ts';
import { useUnsettledJobs } from '../../../api/jobs.ts';
import { useSettings } from '../../../api/settings.ts';
import type { Backup, Job } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { JobRow } from '../../../ui/feedback/JobRow.tsx';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { BackupRow } from './BackupRow.tsx';
import { backupsText } from './backups-text.ts';
import { Retention } from './Retention.tsx';

/** What is done with backups, and what makes them. */
const WITH_BACKUPS: readonly Job['kind'][] = ['backup', 'restore', 'verify', 'drill', 'replicate', 'delete'];

/** Every backup of the server, what is being done with them or failed, how long they stay, and a new one. */
export function BackupsTab({ instance, session }: TabProps) {
  const t = useWords(backupsText);
  const { exact } = useQuantities();
  const backups = useBackups(instance.id);
  const { jobs: unsettled, dismiss } = useUnsettledJobs();
  const jobs = unsettled.filter(({ instanceId, kind }) => instanceId === instance.id && WITH_BACKUPS.includes(kind));
  const start = useStartBackup(instance.id);
  const work = useBackupWork(instance.id);
  const remove = useDeleteBackup(instance.id);
  const [copies, setCopies] = useState(true);
  const [asked, setAsked] = useState<{ what: 'restore' | 'delete'; backup: Backup }>();
  const mayAct = session.role !== 'viewer';
  const isAdmin = session.role === 'admin';
  const settings = useSettings({ enabled: isAdmin }).data?.settings;
  // Only administrators know.
  const hasPlaces = !isAdmin || (settings?.backups.stores ?? []).length > 0;

  const create = mayAct && (
    <Group>
      <Button
        leftSection={<IconArchive size={16} />}
        loading={start.isPending}
        onClick={() => start.mutate(copies, { onError: notifyProblem })}
      >
        {t('create')}
      </Button>
      {hasPlaces && (
        <Checkbox label={t('copies')} checked={copies} onChange={(event) => setCopies(event.currentTarget.checked)} />
      )}
    </Group>
  );
  const time = asked ? exact(asked.backup.createdAt) : '';

  return (
    <Box p="md">
      <Stack>
        {backups.data?.length !== 0 && create}
        <Retention instanceId={instance.id} mayChange={isAdmin} />
        {jobs.length > 0 && (
          <Paper p="sm">
            <Stack gap="sm">
              {jobs.map((job) => (
                <JobRow key={job.jobId} job={job} onDismiss={() => dismiss(job)} />
              ))}
            </Stack>
          </Paper>
        )}
        {backups.isError && !backups.data && (
          <ProblemAlert error={backups.error} onRetry={() => void backups.refetch()} />
        )}
        {backups.isPending && [1, 2, 3].map((each) => <Skeleton key={each} h={64} />)}
        {backups.data?.length === 0 && (
          <EmptyState title={t('emptyTitle')} action={create}>
            {t('empty')}
          </EmptyState>
        )}
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {backups.data?.map((backup) => (
            <BackupRow
              key={backup.backupId}
              backup={backup}
              mayAct={mayAct}
              onAsk={(what) => setAsked({ what, backup })}
              onWork={(what) => work.mutate({ backupId: backup.backupId, work: what }, { onError: notifyProblem })}
            />
          ))}
        </Stack>
      </Stack>
      <Confirm
        opened={asked?.what === 'restore'}
        onClose={() => setAsked(undefined)}
        title={t('restoreTitle', { time })}
        action={t('restore')}
        word={instance.id}
        blocked={instance.status !== 'stopped'}
        onConfirm={async () => asked && work.mutateAsync({ backupId: asked.backup.backupId, work: 'restore' })}
      >
        {t('restoreLoses', { name: instance.name })}
        {instance.status !== 'stopped' && (
          <Text size="sm" c="red" mt="xs">
            {t('restoreRunning')}
          </Text>
        )}
      </Confirm>
      <Confirm
        opened={asked?.what === 'delete'}
        onClose={() => setAsked(undefined)}
        title={t('deleteTitle', { time })}
        action={t('delete')}
        word={instance.id}
        onConfirm={async () => asked && remove.mutateAsync(asked.backup.backupId)}
      >
        {t('deleteLoses')}
      </Confirm>
    </Box>
  );
}
