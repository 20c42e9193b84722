import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDownload, IconReplace, IconSeedling } from '@tabler/icons-react';
import { archiveUrl } from '../../../api/files.ts';
import type { World } from '../../../api/worlds.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { worldsText } from './worlds-text.ts';

export interface WorldCardProps {
  instanceId: string;
  world: World;
  mayChange: boolean;
  onPlan: (kind: 'replace' | 'reset') => void;
}

export function WorldCard({ instanceId, world, mayChange, onPlan }: WorldCardProps) {
  const t = useWords(worldsText);
  const { folder, name = folder, folders, isCurrent, dataPacks, problem } = world;
  return (
    <Paper p="md" component="li" aria-label={folder}>
      <Stack gap="sm">
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {isCurrent && (
            <Badge variant="light" tt="none">
              {t('current')}
            </Badge>
          )}
        </Group>
        <Facts world={world} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('folders')}: {folders.join(', ')}
        </Text>
        {dataPacks.length > 0 && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('dataPacks')}: {dataPacks.join(', ')}
          </Text>
        )}
        {problem !== undefined && <Text size="sm">{t('problem')}</Text>}
        {mayChange && (
          <Group gap="xs">
            <Button
              component="a"
              href={archiveUrl({ instanceId, path: folder })}
              download
              size="compact-sm"
              variant="default"
              leftSection={<IconDownload size={14} />}
            >
              {t('download')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconReplace size={14} />}
              onClick={() => onPlan('replace')}
            >
              {t('replace')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconSeedling size={14} />}
              onClick={() => onPlan('reset')}
            >
              {t('reset')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Facts({ world: { version, lastPlayedAt, seed, sizeBytes } }: { world: World }) {
  const t = useWords(worldsText);
  const { size } = useQuantities();
  return (
    <Group gap="md">
      {sizeBytes !== undefined && <Text size="sm">{size(sizeBytes)}</Text>}
      {version !== undefined && <Text size="sm">{t('version', { version })}</Text>}
      {lastPlayedAt !== undefined && (
        <Text size="sm">
          {t('played')} <RelativeTime at={lastPlayedAt} size="sm" />
        </Text>
      )}
      {seed !== undefined && (
        <Group gap={4}>
          <Text size="sm">{t('seed')}</Text>
          <CopyText value={seed} />
        </Group>
      )}
    </Group>
  );
}
