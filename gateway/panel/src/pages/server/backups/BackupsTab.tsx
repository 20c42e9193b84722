import { Anchor, Box, Button, Checkbox, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useBackups, useBackupWork, useDeleteBackup, useRetention, useStartBackup } from '../../../api/backups.ts';
import { useVisibleJobs } from '../../../api/jobs.ts';
import { filesOn } from '../../../api/roles.ts';
import { useMayHaveStores } from '../../../api/settings.ts';
import type { Backup, Instance, Job } from '../../../api/transport/client.ts';
import { useLanguage } from '../../../text/language.ts';
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
import { BackupFiles } from './files/BackupFiles.tsx';
import { describeRules, retentionText } from './retention-text.ts';

const BACKUP_JOBS: readonly Job['kind'][] = ['backup', 'restore', 'verify', 'drill', 'replicate', 'delete'];

interface Confirming {
  action: 'restore' | 'delete';
  backup: Backup;
}

export function BackupsTab({ instance, session }: TabProps) {
  const t = useWords(backupsText);
  const backups = useBackups(instance.id);
  const { jobs: allJobs, dismiss } = useVisibleJobs();
  const jobs = allJobs.filter(({ instanceId, kind }) => instanceId === instance.id && BACKUP_JOBS.includes(kind));
  const start = useStartBackup(instance.id);
  const work = useBackupWork(instance.id);
  const remove = useDeleteBackup(instance.id);
  const [copies, setCopies] = useState(true);
  const [confirming, setConfirming] = useState<Confirming>();
  const [browsed, setBrowsed] = useState<Backup>();
  const mayAct = session.role !== 'viewer';
  const isAdmin = session.role === 'admin';
  const isLive = instance.status !== 'stopped';
  const mayHaveStores = useMayHaveStores(session);

  const create = mayAct && (
    <Group>
      <Button
        leftSection={<IconArchive size={16} />}
        loading={start.isPending}
        onClick={() => start.mutate(copies, { onError: notifyProblem })}
      >
        {t('create')}
      </Button>
      {mayHaveStores && (
        <Checkbox label={t('copies')} checked={copies} onChange={(event) => setCopies(event.currentTarget.checked)} />
      )}
    </Group>
  );
  return (
    <Box className="page-width" py="md">
      <Stack>
        {!backups.isPending && backups.data?.length !== 0 && create}
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
          <EmptyState picture="chest" title={t('emptyTitle')} action={create}>
            {t('empty')}
          </EmptyState>
        )}
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {backups.data?.map((backup) => (
            <BackupRow
              key={backup.backupId}
              backup={backup}
              mayAct={mayAct}
              mayDownload={filesOn(session, instance.id) === 'write'}
              onBrowse={() => setBrowsed(backup)}
              onConfirm={(action) => setConfirming({ action, backup })}
              onWork={(what) => work.mutate({ backupId: backup.backupId, work: what }, { onError: notifyProblem })}
            />
          ))}
        </Stack>
      </Stack>
      {browsed && <BackupFiles instance={instance} backup={browsed} onClose={() => setBrowsed(undefined)} />}
      <ConfirmDialogs
        instance={instance}
        confirming={confirming}
        onRestore={(backupId) => work.mutateAsync({ backupId, work: 'restore', restart: isLive })}
        onDelete={(backupId) => remove.mutateAsync(backupId)}
        isLive={isLive}
        onClose={() => setConfirming(undefined)}
      />
    </Box>
  );
}

interface ConfirmDialogsProps {
  instance: Instance;
  isLive: boolean;
  confirming: Confirming | undefined;
  onRestore: (backupId: string) => Promise<unknown>;
  onDelete: (backupId: string) => Promise<unknown>;
  onClose: () => void;
}

function ConfirmDialogs({ instance, isLive, confirming, onRestore, onDelete, onClose }: ConfirmDialogsProps) {
  const t = useWords(backupsText);
  const { exact } = useQuantities();
  const time = confirming ? exact(confirming.backup.createdAt) : '';
  return (
    <>
      <Confirm
        opened={confirming?.action === 'restore'}
        onClose={onClose}
        title={t('restoreTitle', { time })}
        action={t(isLive ? 'restoreAndStart' : 'restore')}
        word={instance.name.trim()}
        onConfirm={async () => confirming && onRestore(confirming.backup.backupId)}
      >
        {t('restoreWarning', { name: instance.name })}
        {isLive && (
          <Text size="sm" mt="xs">
            {t('restoreRestarts')}
          </Text>
        )}
      </Confirm>
      <Confirm
        opened={confirming?.action === 'delete'}
        onClose={onClose}
        title={t('deleteTitle', { time })}
        action={t('delete')}
        word={instance.name.trim()}
        onConfirm={async () => confirming && onDelete(confirming.backup.backupId)}
      >
        {t('deleteWarning')}
      </Confirm>
    </>
  );
}

/** The retention rules in words. `mayChange`: shows a link to the settings. */
function Retention({ instanceId, mayChange }: { instanceId: string; mayChange: boolean }) {
  const t = useWords(retentionText);
  const { language } = useLanguage();
  const { data } = useRetention(instanceId);
  if (!data) return null;
  const rules = describeRules(data, language);
  return (
    <Text size="sm" c="dimmed">
      {rules.length === 0 ? t('all') : `${t('kept', { rules: rules.join('; ') })} ${t('exceptions')}`}{' '}
      {mayChange && (
        <Anchor component={Link} href="/host/storage" inherit td="underline">
          {t('change')}
        </Anchor>
      )}
    </Text>
  );
}
