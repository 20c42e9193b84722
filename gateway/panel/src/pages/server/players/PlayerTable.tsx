import { ActionIcon, Badge, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { PlayerAction } from '../../../api/players.ts';
import type { Player } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { PlayerFace } from '../../../ui/display/PlayerFace.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { playersText } from './players-text.ts';

export interface PlayerTableProps {
  players: readonly Player[];
  mayAct: boolean;
  onAction: (name: string, action: PlayerAction) => void;
}

export function PlayerTable({ players, mayAct, onAction }: PlayerTableProps) {
  const t = useWords(playersText);
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
        {players.map((player) => (
          <PlayerRow key={player.name} player={player} mayAct={mayAct} onAction={onAction} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

type PlayerRowProps = { player: Player } & Omit<PlayerTableProps, 'players'>;

function PlayerRow({ player: { name, op, since }, mayAct, onAction }: PlayerRowProps) {
  const t = useWords(playersText);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <PlayerFace name={name} />
          {/* On a narrow screen the badge wraps below the name. */}
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
      <Table.Td>{since && <RelativeTime at={since} size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }} />}</Table.Td>
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
                  {...(action === 'ban' && { color: 'danger' })}
                  onClick={() => onAction(name, action)}
                >
                  {t(action)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
