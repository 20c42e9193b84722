import { Button, Checkbox, Group, Paper, Select, Skeleton, Stack, Table, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tokensQuery, useCreateToken, useRevokeToken } from '../../../api/tokens.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { ShownOnce } from '../../../ui/dialog/OneTimeSecret.tsx';
import { When } from '../../../ui/display/RelativeTime.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tokensText } from './tokens-text.ts';

const SCOPES = ['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage'] as const;
const DAY_S = 86_400;
const LIVES_DAYS = [1, 7, 30, 90, 365] as const;

/** Credentials for programs: made here, shown once, revoked here. */
export function TokensPage() {
  const t = useWords(tokensText);
  const tokens = useQuery(tokensQuery());
  const revoke = useRevokeToken();
  const [creating, { open, close }] = useDisclosure(false);
  const [revoking, setRevoking] = useState<Schemas['Token']>();
  const create = <Button onClick={open}>{t('create')}</Button>;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {tokens.data && tokens.data.length > 0 && create}
      </Group>
      {tokens.isError && <ProblemAlert error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.isPending && <Skeleton h={120} />}
      {tokens.data?.length === 0 && (
        <EmptyState title={t('emptyTitle')} action={create}>
          {t('empty')}
        </EmptyState>
      )}
      {tokens.data && tokens.data.length > 0 && (
        <Paper>
          <Table.ScrollContainer minWidth={280}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('name')}</Table.Th>
                  <Table.Th visibleFrom="md">{t('rights')}</Table.Th>
                  <Table.Th visibleFrom="md">{t('madeBy')}</Table.Th>
                  <Table.Th>{t('ends')}</Table.Th>
                  <Table.Th aria-label={t('revoke')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tokens.data.map((token) => (
                  <Table.Tr key={token.id}>
                    <Table.Td>{token.name}</Table.Td>
                    <Table.Td visibleFrom="md">
                      {token.scopes.length === SCOPES.length
                        ? t('all')
                        : token.scopes.map((scope) => t(scope)).join(' · ')}
                    </Table.Td>
                    <Table.Td visibleFrom="md">{token.createdBy}</Table.Td>
                    <Table.Td>
                      <When at={token.expiresAt} />
                    </Table.Td>
                    <Table.Td ta="end">
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        onClick={() => setRevoking(token)}
                        aria-label={t('revokeTitle', { name: token.name })}
                      >
                        {t('revoke')}
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      <NewToken opened={creating} onClose={close} />
      <Confirm
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={t('revokeTitle', { name: revoking?.name ?? '' })}
        action={t('revoke')}
        {...(revoking && { word: revoking.name })}
        onConfirm={async () => revoking && revoke.mutateAsync(revoking.id)}
      >
        {t('revokeLoses')}
      </Confirm>
    </Stack>
  );
}

interface Values {
  name: string;
  everything: boolean;
  scopes: Schemas['Token']['scopes'];
  days: string;
}

function NewToken({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords(tokensText);
  const { days: daysInWords } = useQuantities();
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
        <ShownOnce label={t('token')} secret={create.data.token} explanation={t('shownOnce')} onClose={close} />
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
              <Checkbox.Group label={t('rights')} {...form.getInputProps('scopes')}>
                <Stack gap={6} mt={6}>
                  {SCOPES.map((scope) => (
                    <Checkbox key={scope} value={scope} label={t(scope)} />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
            <Select
              label={t('life')}
              data={LIVES_DAYS.map((days) => ({ value: String(days), label: daysInWords(days) }))}
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
