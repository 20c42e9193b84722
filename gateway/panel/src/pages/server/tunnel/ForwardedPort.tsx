import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSoftwareOf } from '../../../api/software.ts';
import type { Instance, Schemas } from '../../../api/transport/client.ts';
import { useSetTunnel } from '../../../api/tunnel.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tunnelText } from './tunnel-text.ts';

/** Asks for the address whose port the owner has forwarded. */
export function ForwardedPort({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const set = useSetTunnel(instance.id);
  const form = useForm({ initialValues: { address: '', isMapped: true } });
  const { isMapped } = form.values;
  const transport = useSoftwareOf(instance)?.transport.toUpperCase();
  return (
    <form onSubmit={form.onSubmit((values) => set.mutate(toSettings(values)))}>
      <Stack>
        <Checkbox
          label={t('mapped')}
          description={t('mappedHint')}
          {...form.getInputProps('isMapped', { type: 'checkbox' })}
        />
        {!isMapped && transport && <Text size="sm">{t('forwardHelp', { transport, port: instance.port })}</Text>}
        <TextInput
          label={t('publicAddress')}
          description={t(isMapped ? 'mappedAddressHint' : 'publicAddressHint')}
          placeholder="play.example.net"
          autoComplete="off"
          required={!isMapped}
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

function toSettings({ address, isMapped }: { address: string; isMapped: boolean }): Schemas['TunnelSettingsInput'] {
  const trimmed = address.trim();
  return {
    provider: 'static',
    mapping: isMapped ? 'auto' : 'none',
    ...(trimmed !== '' && { address: trimmed }),
  };
}
