import { Button, Group, Paper, Skeleton, Stack, Table, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tokensQuery, useRevokeToken } from '../../../api/tokens.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { tokensText } from './tokens-text.ts';

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
        <EmptyState picture="chest" title={t('emptyTitle')} action={create}>
          {t('empty')}
        </EmptyState>
      )}
      {tokens.data && tokens.data.length > 0 && <TokenTable tokens={tokens.data} onRevoke={setRevoking} />}
      <NewTokenDialog opened={creating} onClose={close} />
      <Confirm
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={t('revokeTitle', { name: revoking?.name ?? '' })}
        action={t('revoke')}
        {...(revoking && { word: revoking.name })}
        onConfirm={async () => revoking && revoke.mutateAsync(revoking.id)}
      >
        {t('revokeWarning')}
      </Confirm>
    </Stack>
  );
}

interface TokenTableProps {
  tokens: readonly Schemas['Token'][];
  onRevoke: (token: Schemas['Token']) => void;
}

function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const t = useWords(tokensText);
  return (
    <Paper>
      <Table.ScrollContainer minWidth={280}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('name')}</Table.Th>
              <Table.Th visibleFrom="md">{t('permissions')}</Table.Th>
              <Table.Th visibleFrom="md">{t('createdBy')}</Table.Th>
              <Table.Th>{t('expires')}</Table.Th>
              <Table.Th aria-label={t('revoke')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens.map((token) => (
              <Table.Tr key={token.id}>
                <Table.Td>{token.name}</Table.Td>
                <Table.Td visibleFrom="md">
                  {token.unrestricted ? t('all') : token.scopes.map((scope) => t(scope)).join(' · ')}
                </Table.Td>
                <Table.Td visibleFrom="md">{token.createdBy}</Table.Td>
                <Table.Td>
                  <RelativeTime at={token.expiresAt} />
                </Table.Td>
                <Table.Td ta="end">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="danger"
                    onClick={() => onRevoke(token)}
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
  );
}
