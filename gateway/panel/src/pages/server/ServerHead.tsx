import { Alert, Badge, Box, Group, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Instance, Schemas } from '../../api/client.ts';
import { useWords } from '../../text/section.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { PhaseMark, phaseOf, usePhaseLabel } from '../../ui/phase.tsx';
import { When } from '../../ui/When.tsx';
import { LifecycleButtons } from './LifecycleButtons.tsx';
import { LiveFigures } from './LiveFigures.tsx';
import { serverAddress } from './server-address.ts';
import { serverText } from './server-text.ts';

/** State, what it is, players, address, the action that fits, live figures. */
export function ServerHead({ instance, session }: { instance: Instance; session: Schemas['LoginResponse'] }) {
  const t = useWords(serverText);
  const label = usePhaseLabel();
  const { name, software, version, crash, degraded } = instance;
  const phase = phaseOf(instance);
  return (
    <Box px="md" pt="md" pb="xs">
      <Group justify="space-between" gap="sm">
        <Group gap="sm" miw={0}>
          <Title order={1} lineClamp={1}>
            {name}
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
            {software} {version}
          </Text>
          <CopyText value={serverAddress(instance)} />
        </Group>
        {session.role !== 'viewer' && <LifecycleButtons instance={instance} />}
      </Group>
      <LiveFigures instance={instance} />
      {degraded && (
        <Alert mt="xs" color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t(degraded)}
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
              {t('crashed')} <When at={crash.at} fw={400} />
            </>
          }
        >
          {crash.reason}
        </Alert>
      )}
    </Box>
  );
}
