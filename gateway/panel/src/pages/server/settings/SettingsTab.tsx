import { Box, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { configurationQuery } from '../../../api/instances.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { DeleteServer } from './DeleteServer.tsx';
import { DuplicateServer } from './DuplicateServer.tsx';
import { SettingsForm } from './SettingsForm.tsx';

export function SettingsTab({ instance }: TabProps) {
  const configuration = useQuery(configurationQuery(instance.id));
  return (
    <Box p="md" maw="var(--content-width)">
      <Stack gap="xl">
        {configuration.isPending && <Skeleton h={320} />}
        {configuration.isError && (
          <ProblemAlert error={configuration.error} onRetry={() => void configuration.refetch()} />
        )}
        {configuration.data && <SettingsForm instance={instance} configuration={configuration.data} />}
        <DuplicateServer instance={instance} />
        <DeleteServer instance={instance} />
      </Stack>
    </Box>
  );
}
