import { ActionIcon, Badge, Group, Menu, Paper, Text, Tooltip } from '@mantine/core';
import { IconDots, IconPin, IconPinFilled } from '@tabler/icons-react';
import { archiveUrl, type BackupWork, usePinBackup } from '../../../api/backups.ts';
import type { Backup } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { notBefore, useNow } from '../../../ui/display/use-now.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { backupsText } from './backups-text.ts';

const SHORT_HASH_LENGTH = 12;
/** Omitted files that are named. */
const MOST_OMITTED = 10;

export interface BackupRowProps {
  backup: Backup;
  mayAct: boolean;
  /** Archives hold the server's secrets. */
  mayDownload: boolean;
  /** For actions that need a confirmation. */
  onBrowse: () => void;
  onConfirm: (action: 'restore' | 'delete') => void;
  onWork: (work: BackupWork) => void;
}

export function BackupRow({ backup, mayAct, ...actions }: BackupRowProps) {
  const t = useWords(backupsText);
  const quantities = useQuantities();
  const { createdAt, sizeBytes, sha256, reason, pinned, local, replicas, quiesced, omittedCount } = backup;
  const checked = backup.lastVerified;
  return (
    <Paper p="sm" component="li">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="xs">
          <RelativeTime at={createdAt} size="sm" fw={600} />
          <Text size="sm" c="dimmed">
            {t(reason)}
          </Text>
          <Text size="sm">{quantities.size(sizeBytes)}</Text>
          <Badge variant="light" color={local === 'present' ? 'good' : 'danger'} tt="none">
            {t(local === 'present' ? 'here' : local)}
          </Badge>
          {replicas.map(({ store, state }) => (
            <Badge key={store} variant="light" color={REPLICA_COLORS[state] ?? 'gray'} tt="none">
              {t(`copy-${state}`, { store })}
            </Badge>
          ))}
          {!quiesced && (
            <Tooltip label={t('notQuiescedHint')} multiline w={280}>
              <Badge variant="light" color="warning" tt="none">
                {t('notQuiesced')}
              </Badge>
            </Tooltip>
          )}
          {omittedCount > 0 && (
            <Badge variant="light" color="danger" tt="none">
              {t('omitted', { count: omittedCount })}
            </Badge>
          )}
          {pinned && <IconPinFilled size={16} role="img" aria-label={t('pinned')} />}
        </Group>
        {mayAct && <Actions backup={backup} {...actions} />}
      </Group>
      {replicas.map(
        ({ store, error }) =>
          error !== undefined && (
            <Text key={store} size="xs" c="danger" mt={4}>
              {store}: <span lang="en">{error}</span>
            </Text>
          ),
      )}
      {omittedCount > 0 && <Omitted backup={backup} />}
      <Group gap="md" mt={4}>
        <CopyText value={sha256} label={`${t('hash')} ${sha256.slice(0, SHORT_HASH_LENGTH)}…`} monospace />
        {checked && <Checked {...checked} />}
      </Group>
    </Paper>
  );
}

function Checked({ at, ok }: NonNullable<Backup['lastVerified']>) {
  const t = useWords(backupsText);
  const { relative } = useQuantities();
  const now = useNow();
  return (
    <Text size="xs" c={ok ? 'dimmed' : 'danger'}>
      {t(ok ? 'checked' : 'checkFailed', { when: relative(at, notBefore(Date.parse(at), now)) })}
    </Text>
  );
}

/** What the backup lacks, with the reasons. */
function Omitted({ backup: { omitted, omittedCount } }: { backup: Backup }) {
  const t = useWords(backupsText);
  const more = omittedCount - Math.min(MOST_OMITTED, omitted.length);
  return (
    <Text size="xs" c="danger" mt={4} style={{ overflowWrap: 'anywhere' }}>
      {t('omittedHint')}{' '}
      {omitted
        .slice(0, MOST_OMITTED)
        .map(({ path, reason }) => `${path} (${t(`omitted-${reason}`)})`)
        .join(', ')}
      {more > 0 && ` ${t('omittedMore', { count: more })}`}
    </Text>
  );
}

function Actions({ backup, mayDownload, onBrowse, onConfirm, onWork }: Omit<BackupRowProps, 'mayAct'>) {
  const t = useWords(backupsText);
  const { exact } = useQuantities();
  const { backupId, instanceId, createdAt, pinned, local } = backup;
  const pin = usePinBackup(instanceId);
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => pin.mutate({ backupId, pinned: !pinned }, { onError: notifyProblem })}
        aria-label={t(pinned ? 'unpin' : 'pin')}
        title={t(pinned ? 'unpin' : 'pin')}
      >
        <IconPin size={16} />
      </ActionIcon>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOn', { time: exact(createdAt) })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onConfirm('restore')}>{t('restore')}</Menu.Item>
          <Menu.Item onClick={() => onWork('verify')}>{t('verify')}</Menu.Item>
          <Menu.Item onClick={() => onWork('drill')}>{t('drill')}</Menu.Item>
          {mayDownload && <Menu.Item onClick={onBrowse}>{t('browse')}</Menu.Item>}
          {mayDownload && local === 'present' && (
            <Menu.Item component="a" href={archiveUrl(instanceId, backupId)} download>
              {t('download')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="danger" onClick={() => onConfirm('delete')}>
            {t('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

const REPLICA_COLORS: Record<string, string> = {
  replicated: 'good',
  pending: 'gray',
  copying: 'accent',
  failed: 'danger',
  missing: 'danger',
  damaged: 'danger',
};
