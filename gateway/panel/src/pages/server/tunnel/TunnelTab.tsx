import { Skeleton, Stack } from '@mantine/core';
import { useTunnel, useTunnelSettings } from '../../../api/tunnel.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { NewTunnel } from './NewTunnel.tsx';
import { TunnelState } from './TunnelState.tsx';

/** The address with which players on the internet join. */
export function TunnelTab({ instance }: TabProps) {
  const settings = useTunnelSettings(instance.id);
  const tunnel = useTunnel(instance.id);
  const failed = [settings, tunnel].find(({ isError, data }) => isError && !data);
  return (
    <Stack className="page-width" py="md">
      {failed ? (
        <ProblemAlert error={failed.error} onRetry={() => void failed.refetch()} />
      ) : settings.data && tunnel.data ? (
        settings.data.provider === null ? (
          <NewTunnel instance={instance} />
        ) : (
          <TunnelState instance={instance} settings={settings.data} tunnel={tunnel.data} />
        )
      ) : (
        <Skeleton h={240} />
      )}
    </Stack>
  );
}
