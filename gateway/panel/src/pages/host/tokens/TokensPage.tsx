import { Button, Checkbox, Group, Modal, Paper, Select, Skeleton, Stack, Table, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { ShownOnce } from '../../../ui/ShownOnce.tsx';
import { When } from '../../../ui/When.tsx';
import { tokensText } from './tokens-text.ts';

const TOKENS = ['tokens'];
const SCOPES = ['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage'] as const;
const DAY_S = 86_400;
const LIVES_DAYS = [1, 7, 30, 90, 365] as const;

/** Credentials for programs: made here, shown once, revoked here. */
export function TokensPage() {
  const t = useWords(tokensText);
  const queries = useQueryClient();
  const tokens = useQuery({ queryKey: TOKENS, queryFn: () => dataOf(api.GET('/api/tokens')) });
  const [creating, { open, close }] = useDisclosure(false);
  const [revoking, setRevoking] = useState<Schemas['Token']>();
  const revoke = async (id: string) => {
    await api.DELETE('/api/tokens/{id}', { params: { path: { id } } });
    await queries.invalidateQueries({ queryKey: TOKENS });
  };
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
          <Table.ScrollContainer minWidth={520}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('name')}</Table.Th>
                  <Table.Th>{t('rights')}</Table.Th>
                  <Table.Th>{t('madeBy')}</Table.Th>
                  <Table.Th>{t('ends')}</Table.Th>
                  <Table.Th aria-label={t('revoke')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tokens.data.map((token) => (
                  <Table.Tr key={token.id}>
                    <Table.Td>{token.name}</Table.Td>
                    <Table.Td>{token.scopes.length === SCOPES.length ? t('all') : token.scopes.join(', ')}</Table.Td>
                    <Table.Td>{token.createdBy}</Table.Td>
                    <Table.Td>
                      <When at={token.expiresAt} />
                    </Table.Td>
                    <Table.Td ta="end">
                      <Button size="compact-sm" variant="subtle" color="red" onClick={() => setRevoking(token)}>
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
        onConfirm={async () => revoking && revoke(revoking.id)}
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
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: ({ name, everything, scopes, days }: Values) =>
      dataOf(
        api.POST('/api/tokens', {
          body: { name, ttlSeconds: Number(days) * DAY_S, ...(!everything && { scopes }) },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: TOKENS }),
  });
  const form = useForm<Values>({
    initialValues: { name: '', everything: false, scopes: ['servers:read'], days: '30' },
  });
  const close = () => {
    create.reset();
    form.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t('create')}>
      {create.data ? (
        <ShownOnce label={t('token')} secret={create.data.token} explanation={t('shownOnce')} onClose={close} />
      ) : (
        <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
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
              data={LIVES_DAYS.map((days) => ({ value: String(days), label: t('days', { days }) }))}
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
    </Modal>
  );
}
