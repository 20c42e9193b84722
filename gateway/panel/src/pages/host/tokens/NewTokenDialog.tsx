import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCreateToken } from '../../../api/tokens.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tokensText } from './tokens-text.ts';

export const SCOPES = ['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage'] as const;
const DAY_S = 86_400;
const LIFETIMES_DAYS = [1, 7, 30, 90, 365] as const;

interface Values {
  name: string;
  everything: boolean;
  scopes: Schemas['Token']['scopes'];
  days: string;
}

export function NewTokenDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords(tokensText);
  const { days: formatDays } = useQuantities();
  const create = useCreateToken();
  const form = useForm<Values>({
    initialValues: { name: '', everything: false, scopes: ['servers:read'], days: '30' },
  });
  const close = () => {
    create.reset();
    form.reset();
    onClose();
  };
  return (
    <Dialog keepTyped opened={opened} onClose={close} title={t('create')}>
      {create.data ? (
        <OneTimeSecret label={t('token')} secret={create.data.token} explanation={t('shownOnce')} onClose={close} />
      ) : (
        <form onSubmit={form.onSubmit((values) => create.mutate(toRequest(values)))}>
          <Stack>
            <TextInput
              label={t('name')}
              description={t('nameHint')}
              required
              maxLength={64}
              data-autofocus
              {...form.getInputProps('name')}
            />
            <Checkbox
              label={t('everything')}
              description={t('everythingHint')}
              {...form.getInputProps('everything', { type: 'checkbox' })}
            />
            {!form.values.everything && (
              <Checkbox.Group label={t('permissions')} {...form.getInputProps('scopes')}>
                <Stack gap={6} mt={6}>
                  {SCOPES.map((scope) => (
                    <Checkbox key={scope} value={scope} label={t(scope)} />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
            <Select
              label={t('lifetime')}
              data={LIFETIMES_DAYS.map((days) => ({ value: String(days), label: formatDays(days) }))}
              allowDeselect={false}
              {...form.getInputProps('days')}
            />
            {create.error && <ProblemAlert error={create.error} />}
            <Group justify="flex-end">
              <Button
                type="submit"
                loading={create.isPending}
                disabled={!form.values.everything && form.values.scopes.length === 0}
              >
                {t('create')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

function toRequest({ name, everything, scopes, days }: Values): Schemas['CreateToken'] {
  return { name, ttlSeconds: Number(days) * DAY_S, ...(!everything && { scopes }) };
}
