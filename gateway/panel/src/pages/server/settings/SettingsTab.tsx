import { Box, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { configurationQuery, variablesQuery } from '../../../api/instances.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { ChangeSoftware } from './ChangeSoftware.tsx';
import { DeleteServer } from './DeleteServer.tsx';
import { DuplicateServer } from './DuplicateServer.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { VariablesForm } from './VariablesForm.tsx';

/** Operators see only what the kind lets them change. */
export function SettingsTab({ instance, session, software }: TabProps) {
  const isAdmin = session.role === 'admin';
  return (
    <Box className="page-width" py="md">
      <Stack gap="xl">
        {isAdmin && <Configuration instance={instance} />}
        {software?.variables.some(({ editableBy }) => editableBy !== 'nobody') && (
          <Variables instance={instance} session={session} />
        )}
        {isAdmin && <ChangeSoftware instance={instance} />}
        {isAdmin && <DuplicateServer instance={instance} />}
        {isAdmin && <DeleteServer instance={instance} />}
      </Stack>
    </Box>
  );
}

function Configuration({ instance }: { instance: Instance }) {
  const configuration = useQuery(configurationQuery(instance.id));
  return (
    <>
      {configuration.isPending && <Skeleton h={320} />}
      {configuration.isError && (
        <ProblemAlert error={configuration.error} onRetry={() => void configuration.refetch()} />
      )}
      {configuration.data && <SettingsForm instance={instance} configuration={configuration.data} />}
    </>
  );
}

function Variables({ instance, session }: Pick<TabProps, 'instance' | 'session'>) {
  const variables = useQuery(variablesQuery(instance.id));
  const shown = variables.data?.filter(({ editableBy }) => editableBy !== 'nobody');
  return (
    <>
      {variables.isPending && <Skeleton h={160} />}
      {variables.isError && <ProblemAlert error={variables.error} onRetry={() => void variables.refetch()} />}
      {shown && <VariablesForm instance={instance} session={session} variables={shown} />}
    </>
  );
}
