import { Button, Group, NumberInput, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Instance } from '../../../api/transport/client.ts';
import { useSetTunnel } from '../../../api/tunnel.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tunnelText } from './tunnel-text.ts';

const LARGEST_PORT = 65_535;

/** Asks for the owner's frps server. */
export function OverFrp({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const set = useSetTunnel(instance.id);
  const form = useForm({
    initialValues: { serverAddr: '', serverPort: 7000, token: '', remotePort: instance.port },
  });
  const whole = { allowDecimal: false, hideControls: true, max: LARGEST_PORT } as const;
  return (
    <form
      onSubmit={form.onSubmit(({ token, ...server }) =>
        set.mutate({ provider: 'frp', ...server, ...(token !== '' && { token }) }),
      )}
    >
      <Stack>
        <Text size="sm">{t('frpHelp')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
          <TextInput
            label={t('host')}
            placeholder="frp.example.net"
            autoComplete="off"
            required
            maxLength={255}
            {...form.getInputProps('serverAddr')}
          />
          <NumberInput label={t('frpPort')} min={1} {...whole} {...form.getInputProps('serverPort')} />
          <PasswordInput label={t('frpToken')} autoComplete="off" {...form.getInputProps('token')} />
          <NumberInput
            label={t('remotePort')}
            description={t('remotePortHint')}
            min={0}
            {...whole}
            {...form.getInputProps('remotePort')}
          />
        </SimpleGrid>
        {set.error && <ProblemAlert error={set.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={set.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
