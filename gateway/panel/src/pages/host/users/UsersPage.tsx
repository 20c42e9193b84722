import { Badge, Button, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../../api/transport/client.ts';
import { useUserChanges, useUsers } from '../../../api/users.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { useAddressPart } from '../../../ui/use-address-part.ts';
import type { HostPageProps } from '../host-page-props.ts';
import { UserDialog } from './UserDialog.tsx';
import { usersText } from './users-text.ts';

export function UsersPage({ session }: HostPageProps) {
  const t = useWords(usersText);
  const users = useUsers();
  const { remove } = useUserChanges();
  const added = useAddressPart('new');
  const [edited, setEdited] = useState<Schemas['User']>();
  const [removed, setRemoved] = useState<Schemas['User']>();
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        <Button onClick={() => added.open('user')}>{t('add')}</Button>
      </Group>
      {users.isError && <ProblemAlert error={users.error} onRetry={() => void users.refetch()} />}
      {users.isPending && <Skeleton h={120} />}
      {users.data && (
        <Paper>
          <Table.ScrollContainer minWidth={280}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('username')}</Table.Th>
                  <Table.Th>{t('role')}</Table.Th>
                  <Table.Th visibleFrom="md">{t('servers')}</Table.Th>
                  <Table.Th visibleFrom="md">{t('twoFactor')}</Table.Th>
                  <Table.Th aria-label={t('actions')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {users.data.map((user) => (
                  <UserRow
                    key={user.username}
                    user={user}
                    isSelf={user.username === session.username}
                    onEdit={() => setEdited(user)}
                    onRemove={() => setRemoved(user)}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      {added.value !== undefined && <UserDialog onClose={added.close} />}
      {edited && <UserDialog user={edited} onClose={() => setEdited(undefined)} />}
      <Confirm
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('removeTitle', { name: removed?.username ?? '' })}
        action={t('remove')}
        {...(removed && { word: removed.username })}
        onConfirm={async () => removed && remove.mutateAsync(removed.username)}
      >
        {t('removeWarning')}
      </Confirm>
    </Stack>
  );
}

interface UserRowProps {
  user: Schemas['User'];
  isSelf: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function UserRow({ user, isSelf, onEdit, onRemove }: UserRowProps) {
  const t = useWords(usersText);
  const { username, role, disabled, instances, totp } = user;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          {username}
          {isSelf && (
            <Text span size="xs" c="dimmed">
              ({t('you')})
            </Text>
          )}
          {disabled && (
            <Badge color="danger" variant="light" tt="none">
              {t('disabled')}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>{t(role)}</Table.Td>
      <Table.Td visibleFrom="md">
        {instances.includes('*')
          ? t('allServers')
          : instances.map((grant) => (typeof grant === 'string' ? grant : grant.id)).join(', ')}
      </Table.Td>
      <Table.Td visibleFrom="md">{totp ? t('on') : '—'}</Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={onEdit}
            aria-label={t('edit', { name: username })}
          >
            {t('editShort')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="danger"
            disabled={isSelf}
            onClick={onRemove}
            aria-label={t('removeTitle', { name: username })}
          >
            {t('remove')}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
