import {
  ActionIcon,
  Badge,
  Box,
  Button,
  Group,
  Menu,
  Paper,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { type PlayerAction, type PlayerRequest, usePlayerAction, WITH_REASON } from '../../../api/player-actions.ts';
import { usePlayers } from '../../../api/players.ts';
import type { Player } from '../../../api/transport/client.ts';
import { useWords, type Words } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { PlayerHead } from '../../../ui/display/PlayerHead.tsx';
import { When } from '../../../ui/display/RelativeTime.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { notifyDone, notifyProblem } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { PlayerLists } from './PlayerLists.tsx';
import { playersText } from './players-text.ts';

type Key = keyof typeof playersText.en;

/** Who is online, and what can be done about it; below, the same for somebody by name. */
export function PlayersTab({ instance, session, software }: TabProps) {
  const t = useWords(playersText);
  const players = usePlayers(instance);
  const act = usePlayerAction(instance.id);
  const [asked, setAsked] = useState<PlayerRequest>();
  const [reason, setReason] = useState('');
  const mayAct = session.role !== 'viewer';
  const running = instance.status === 'running';

  const run = (request: PlayerRequest) => act.mutateAsync(request).then(({ message }) => notifyDone(message));
  const choose = (name: string, action: PlayerAction) => {
    setReason('');
    if (WITH_REASON.includes(action)) setAsked({ name, action });
    else run({ name, action }).catch(notifyProblem);
  };

  return (
    <Box p="md">
      <Stack>
        {!running && (
          <EmptyState title={t('offTitle')} brief>
            {t('off')}
          </EmptyState>
        )}
        {players.isError && <ProblemAlert error={players.error} onRetry={() => void players.refetch()} />}
        {running && players.data?.length === 0 && (
          <EmptyState title={t('emptyTitle')} brief>
            {t('empty')}
          </EmptyState>
        )}
        {running && players.data && players.data.length > 0 && (
          <Paper>
            <PlayerTable players={players.data} t={t} mayAct={mayAct} onChoose={choose} />
          </Paper>
        )}
        {running && mayAct && <ByName t={t} onChoose={choose} busy={act.isPending} />}
        <PlayerLists
          instanceId={instance.id}
          lists={software?.playerLists ?? []}
          {...(running && mayAct && { onChoose: choose })}
        />
      </Stack>
      <Confirm
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked ? t(asked.action === 'ban' ? 'banTitle' : 'kickTitle', { name: asked.name }) : ''}
        action={asked ? t(asked.action) : ''}
        onConfirm={async () => {
          if (asked) await run({ ...asked, reason });
        }}
      >
        <Stack gap="xs">
          <Text size="sm">{t(asked?.action === 'ban' ? 'banLoses' : 'kickLoses')}</Text>
          <TextInput
            label={t('reason')}
            maxLength={256}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      </Confirm>
    </Box>
  );
}

interface PlayerTableProps {
  players: readonly Player[];
  t: Words<Key>;
  mayAct: boolean;
  onChoose: (name: string, action: PlayerAction) => void;
}

function PlayerTable({ players, t, mayAct, onChoose }: PlayerTableProps) {
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('name')}</Table.Th>
          <Table.Th>{t('since')}</Table.Th>
          {mayAct && (
            <Table.Th w={52}>
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {players.map(({ name, op, since }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Group gap="sm" wrap="nowrap">
                <PlayerHead name={name} />
                {/* Where there is little room, what somebody is goes below the name. */}
                <Group gap="xs" miw={0}>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Text>
                  {op && (
                    <Badge variant="light" tt="none">
                      {t('operator')}
                    </Badge>
                  )}
                </Group>
              </Group>
            </Table.Td>
            <Table.Td>{since && <When at={since} size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }} />}</Table.Td>
            {mayAct && (
              <Table.Td>
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOn', { name })}>
                      <IconDots size={16} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {(['kick', op ? 'deop' : 'op', 'whitelist', 'ban'] as const).map((action) => (
                      <Menu.Item
                        key={action}
                        {...(action === 'ban' && { color: 'red' })}
                        onClick={() => onChoose(name, action)}
                      >
                        {t(action)}
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const BY_NAME = ['ban', 'pardon', 'op', 'deop', 'whitelist', 'unwhitelist'] as const satisfies readonly PlayerAction[];

function ByName({ t, onChoose, busy }: Pick<PlayerTableProps, 't' | 'onChoose'> & { busy: boolean }) {
  const [name, setName] = useState('');
  const [action, setAction] = useState<PlayerAction>('whitelist');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onChoose(name.trim(), action);
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('byName')}
          description={t('byNameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          flex="1 1 100%"
          maw={360}
        />
        <Select
          w={200}
          aria-label={t('actions')}
          data={BY_NAME.map((value) => ({ value, label: t(value) }))}
          value={action}
          onChange={(value) => value && setAction(value as PlayerAction)}
          allowDeselect={false}
        />
        <Button type="submit" variant="default" loading={busy} disabled={name.trim() === ''}>
          {t('do')}
        </Button>
      </Group>
    </form>
  );
}
