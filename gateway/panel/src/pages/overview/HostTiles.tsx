import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useHealth } from '../../api/health.ts';
import type { Instance, Schemas } from '../../api/transport/client.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { diskLevel, hostMemoryLevel } from '../../ui/display/level.ts';
import { phaseOf } from '../../ui/display/phase.ts';
import { Rated } from '../../ui/display/Rated.tsx';
import { useNow } from '../../ui/display/use-now.ts';
import { isFresh } from './attention.ts';
import { overviewText } from './overview-text.ts';

const BYTES_PER_MIB = 1024 * 1024;

interface HostTilesProps {
  instances: readonly Instance[];
  /** Absent for users who may not see it, and until it is read. */
  host: Schemas['HostState'] | undefined;
}

/** All servers together, and the computer that they share. */
export function HostTiles({ instances, host }: HostTilesProps) {
  const t = useWords(overviewText);
  const { number, percent, memory, size } = useQuantities();
  const now = useNow();
  const running = instances.filter((instance) => phaseOf(instance) === 'running').length;
  const players = instances.reduce((sum, { playersOnline = 0 }) => sum + playersOnline, 0);
  const of = (part: string, all: string) => t('of', { part, all });
  const { disk, backups } = host ?? {};
  const platform = useHealth().data?.platform;
  return (
    <SimpleGrid component="section" aria-label={t('host')} cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" mb="md">
      <Tile label={t('running')}>{of(number(running), number(instances.length))}</Tile>
      <Tile label={t('players')}>{number(players)}</Tile>
      {host && (
        <>
          <Tile label={t('cpu')}>{percent(Math.round(host.cpuPercent))}</Tile>
          <Tile label={t('memory')}>
            <Rated level={hostMemoryLevel(host.memory, platform)} why={t('memoryLow')}>
              {of(memory(host.memory.usedBytes / BYTES_PER_MIB), memory(host.memory.totalBytes / BYTES_PER_MIB))}
            </Rated>
          </Tile>
        </>
      )}
      {disk && (
        <Tile label={t('disk')}>
          <Rated level={diskLevel(disk.totalBytes - disk.freeBytes, disk.totalBytes)} why={t('diskLow')}>
            {size(disk.freeBytes)}
          </Rated>
        </Tile>
      )}
      {backups && (
        <Tile label={t('backups')}>
          {of(
            number(backups.filter((backup) => isFresh(backup, now) && known(instances, backup.instanceId)).length),
            number(instances.length),
          )}
        </Tile>
      )}
    </SimpleGrid>
  );
}

/** Backups outlive their server. */
function known(instances: readonly Instance[], instanceId: string): boolean {
  return instances.some(({ id }) => id === instanceId);
}

function Tile({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Paper px="md" py="xs">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{children}</Text>
    </Paper>
  );
}
