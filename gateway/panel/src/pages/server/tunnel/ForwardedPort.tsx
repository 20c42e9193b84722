import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Instance } from '../../../api/transport/client.ts';
import { useSetTunnel } from '../../../api/tunnel.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tunnelText } from './tunnel-text.ts';

/** Asks for the address whose port the owner has forwarded. */
export function ForwardedPort({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const set = useSetTunnel(instance.id);
  const form = useForm({ initialValues: { address: '' } });
  return (
    <form onSubmit={form.onSubmit(({ address }) => set.mutate({ provider: 'static', address: address.trim() }))}>
      <Stack>
        <Text size="sm">{t('forwardHelp', { port: instance.port })}</Text>
        <TextInput
          label={t('publicAddress')}
          description={t('publicAddressHint')}
          placeholder="play.example.net"
          autoComplete="off"
          required
          maxLength={270}
          {...form.getInputProps('address')}
        />
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
