import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Instance } from '../../../api/transport/client.ts';
import { useSetTunnel } from '../../../api/tunnel.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tunnelText } from './tunnel-text.ts';

const LONGEST_NAME = 50;

/** Asks for a name at the hosted proxy that this computer is linked to. */
export function OverProxy({ instance, proxy }: { instance: Instance; proxy: string }) {
  const t = useWords(tunnelText);
  const set = useSetTunnel(instance.id);
  const form = useForm({ initialValues: { hostname: '' } });
  return (
    <form
      onSubmit={form.onSubmit(({ hostname }) =>
        set.mutate({
          provider: 'relay',
          proxyProtocol: false,
          ...(hostname !== '' && { hostname: hostname.toLowerCase() }),
        }),
      )}
    >
      <Stack>
        <Text size="sm">{t('proxyHelp', { proxy: new URL(proxy).host })}</Text>
        <TextInput
          label={t('proxyName')}
          description={t('proxyNameHint')}
          placeholder="friends"
          autoComplete="off"
          maxLength={LONGEST_NAME}
          {...form.getInputProps('hostname')}
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
