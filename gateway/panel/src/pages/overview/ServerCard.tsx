import { Anchor, Box, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'wouter';
import { roleOn } from '../../api/roles.ts';
import type { Session } from '../../api/session.ts';
import { useSoftwareName } from '../../api/software.ts';
import type { Instance } from '../../api/transport/client.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { CopyText } from '../../ui/copy/CopyText.tsx';
import { PhaseMark } from '../../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../../ui/display/phase.ts';
import { ServerName } from '../../ui/display/ServerName.tsx';
import { serverName } from '../../ui/display/server-name.ts';
import { LifecycleButtons } from '../server/header/LifecycleButtons.tsx';
import { ServerIcon } from '../server/identity/ServerIcon.tsx';
import { ServerMotd } from '../server/identity/ServerMotd.tsx';
import { addressToShare, playerCount } from '../server/labels.ts';
import { asRunning } from '../server/running-values.ts';
import { serverText } from '../server/server-text.ts';
import { overviewText } from './overview-text.ts';

interface ServerCardProps {
  instance: Instance;
  session: Session;
  /** While servers are being selected. */
  selected?: boolean;
  onSelect?: (id: string) => void;
}

/** A server as the game's own list shows it, with its state and the action that fits it. Renders only if the server has changed. */
export const ServerCard = memo(({ instance, session, selected, onSelect }: ServerCardProps) => {
  const t = useWords(serverText);
  const o = useWords(overviewText);
  const label = usePhaseLabel();
  const quantities = useQuantities();
  const softwareName = useSoftwareName();
  const { id, name, playersOnline, cpuPercent, memoryUsedMb } = instance;
  const running = asRunning(instance);
  const stats = [
    playersOnline === undefined ? undefined : `${t('players')} ${playerCount(instance)}`,
    cpuPercent === undefined ? undefined : `${t('cpu')} ${quantities.percent(cpuPercent)}`,
    memoryUsedMb === undefined ? undefined : `${t('memory')} ${quantities.memory(memoryUsedMb)}`,
  ].filter((stat) => stat !== undefined);
  return (
    <Paper p="md" component="article" aria-label={serverName(instance)} className="server-card">
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          {onSelect && (
            <Checkbox
              mt={12}
              checked={selected === true}
              onChange={() => onSelect(id)}
              aria-label={o('selectOne', { name: serverName(instance) })}
            />
          )}
          <ServerIcon instance={instance} session={session} size={48} />
          <Box miw={0} flex={1}>
            <Anchor
              component={Link}
              href={`/servers/${id}`}
              fz={16}
              fw={650}
              c="inherit"
              truncate
              display="block"
              title={name}
            >
              <ServerName instance={instance} />
            </Anchor>
            <Group gap={6} wrap="nowrap">
              <PhaseMark phase={phaseOf(instance)} size={10} />
              <Text size="sm" truncate>
                {label(instance)}
              </Text>
            </Group>
          </Box>
          {roleOn(session, id) !== 'viewer' && <LifecycleButtons instance={instance} compact />}
        </Group>
        <ServerMotd instance={instance} />
        <Group justify="space-between" gap="4px 12px">
          <CopyText value={addressToShare(running, session)} />
          <Text size="sm" c="dimmed">
            {softwareName(running)}
          </Text>
        </Group>
        <Text size="sm" mih={22}>
          {stats.join(' · ')}
        </Text>
      </Stack>
    </Paper>
  );
});
