import { Button, Group, NumberInput, PasswordInput, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Instance, Schemas } from '../../../api/transport/client.ts';
import { useSetTunnel } from '../../../api/tunnel.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tunnelText } from './tunnel-text.ts';

const LARGEST_PORT = 65_535;
const INITIAL = { host: '', port: 22, username: '', privateKey: '', password: '', bindAddress: '', remotePort: 0 };

/** Asks for an account on a machine whose SSH server opens the public port. */
export function OverSsh({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const set = useSetTunnel(instance.id);
  const form = useForm({ initialValues: { ...INITIAL, remotePort: instance.port } });
  const whole = { allowDecimal: false, hideControls: true, max: LARGEST_PORT } as const;
  return (
    <form onSubmit={form.onSubmit((values) => set.mutate(toSettings(values)))}>
      <Stack>
        <Text size="sm">{t('sshHelp')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
          <TextInput
            label={t('host')}
            placeholder="203.0.113.7"
            autoComplete="off"
            required
            maxLength={255}
            {...form.getInputProps('host')}
          />
          <NumberInput label={t('sshPort')} min={1} {...whole} {...form.getInputProps('port')} />
          <TextInput
            label={t('user')}
            autoComplete="off"
            required
            maxLength={255}
            {...form.getInputProps('username')}
          />
          <NumberInput
            label={t('remotePort')}
            description={t('remotePortHint')}
            min={0}
            {...whole}
            {...form.getInputProps('remotePort')}
          />
        </SimpleGrid>
        <Textarea
          label={t('privateKey')}
          description={t('privateKeyHint')}
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          {...form.getInputProps('privateKey')}
        />
        <PasswordInput
          label={t(form.values.privateKey === '' ? 'password' : 'passphrase')}
          autoComplete="off"
          {...form.getInputProps('password')}
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

/** The secret is the passphrase of the key if there is a key. */
function toSettings({ privateKey, password, ...account }: typeof INITIAL): Schemas['TunnelSettingsInput'] {
  const secret = password === '' ? {} : privateKey === '' ? { password } : { passphrase: password };
  return { provider: 'ssh', ...account, ...(privateKey !== '' && { privateKey }), ...secret };
}
