import { Badge, Box, Group, Text, Title } from '@mantine/core';
import { useSoftwareName } from '../../../api/software.ts';
import { PhaseMark } from '../../../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../../../ui/display/phase.ts';
import { ServerName } from '../../../ui/display/ServerName.tsx';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import { EditableIcon } from '../identity/EditableIcon.tsx';
import { ServerMotd } from '../identity/ServerMotd.tsx';
import { asRunning } from '../running-values.ts';
import type { TabProps } from '../tab-props.ts';
import { AfterRestart } from './AfterRestart.tsx';
import { JoinAddress } from './JoinAddress.tsx';
import { LifecycleButtons } from './LifecycleButtons.tsx';
import { LiveStats } from './LiveStats.tsx';

/** As high in every state, so that the tabs below stay where they are. */
export function ServerHeader(props: TabProps) {
  const { instance, session, software } = props;
  const running = asRunning(instance);
  const label = usePhaseLabel();
  const softwareName = useSoftwareName();
  const isPhone = useIsPhone();
  return (
    <Box className="server-header page-width" pt={{ base: 'xs', sm: 'md' }} pb="xs">
      <EditableIcon {...props} size={isPhone ? 44 : 64} />
      <Box className="server-title">
        <Title order={1} lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          <ServerName instance={instance} />
        </Title>
        <Badge
          variant="default"
          tt="none"
          fw={500}
          style={{ flexShrink: 0 }}
          leftSection={<PhaseMark phase={phaseOf(instance)} size={10} />}
          data-testid="phase"
        >
          {label(instance)}
        </Badge>
      </Box>
      <Group className="server-about" gap={12} wrap="nowrap" miw={0}>
        <Text size="sm" c="dimmed" truncate>
          {softwareName(running)}
        </Text>
        <AfterRestart instance={instance} setting="version" />
        <JoinAddress {...props} instance={running} />
        <AfterRestart instance={instance} setting="port" />
      </Group>
      {session.role !== 'viewer' && (
        <Box className="server-actions">
          <LifecycleButtons instance={instance} compact={isPhone} hasNotices />
        </Box>
      )}
      {!isPhone && <Box className="server-motd">{software?.properties && <ServerMotd instance={instance} />}</Box>}
      <LiveStats instance={instance} />
    </Box>
  );
}
