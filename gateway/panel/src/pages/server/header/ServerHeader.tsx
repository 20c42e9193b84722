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
  const { instance, session } = props;
  const running = asRunning(instance);
  const label = usePhaseLabel();
  const softwareName = useSoftwareName();
  const isPhone = useIsPhone();
  const about = (
    <Group gap={12} wrap="nowrap" miw={0}>
      <Text size="sm" c="dimmed" truncate>
        {softwareName(running)}
      </Text>
      <AfterRestart instance={instance} setting="version" />
      <JoinAddress {...props} instance={running} />
      <AfterRestart instance={instance} setting="port" />
    </Group>
  );
  return (
    <Box className="server-header" px="md" pt={{ base: 'xs', sm: 'md' }} pb="xs">
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Group gap="md" wrap="nowrap" align="flex-start" miw={0} flex={1}>
          <EditableIcon {...props} size={isPhone ? 36 : 64} />
          <Box miw={0}>
            <Box className="server-title">
              <Group gap={12} wrap="nowrap" miw={0} h={36}>
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
              </Group>
              {!isPhone && about}
            </Box>
            {!isPhone && (
              <>
                <Box className="server-motd">
                  <ServerMotd instance={instance} />
                </Box>
                <LiveStats instance={instance} />
              </>
            )}
          </Box>
        </Group>
        {session.role !== 'viewer' && <LifecycleButtons instance={instance} compact={isPhone} hasNotices />}
      </Group>
      {isPhone && about}
      {isPhone && <LiveStats instance={instance} />}
    </Box>
  );
}
