import { Badge, Table } from '@mantine/core';
import type { PlayerAction } from '../../../api/players.ts';
import type { Player } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { PlayerColumns } from './PlayerColumns.tsx';
import { PlayerMenu } from './PlayerMenu.tsx';
import { PlayerName } from './PlayerName.tsx';
import type { PlayerState } from './player-state.ts';
import { playersText } from './players-text.ts';

export interface PlayerTableProps {
  players: readonly Player[];
  stateOf: (name: string) => PlayerState;
  mayAct: boolean;
  onOpen: (name: string) => void;
  onAction: (name: string, action: PlayerAction) => void;
}

export function PlayerTable({ players, stateOf, mayAct, onOpen, onAction }: PlayerTableProps) {
  const t = useWords(playersText);
  return (
    <Table verticalSpacing="xs">
      <PlayerColumns titles={[t('since')]} hasActions={mayAct} />
      <Table.Tbody>
        {players.map((player) => (
          <PlayerRow
            key={player.name}
            player={player}
            state={stateOf(player.name)}
            mayAct={mayAct}
            onOpen={onOpen}
            onAction={onAction}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

type PlayerRowProps = { player: Player; state: PlayerState } & Omit<PlayerTableProps, 'players' | 'stateOf'>;

function PlayerRow({ player: { op, since }, state, mayAct, onOpen, onAction }: PlayerRowProps) {
  const t = useWords(playersText);
  return (
    <Table.Tr>
      <Table.Td>
        <PlayerName player={state} onOpen={onOpen}>
          {op && (
            <Badge variant="light" tt="none">
              {t('operator')}
            </Badge>
          )}
        </PlayerName>
      </Table.Td>
      <Table.Td>{since && <RelativeTime at={since} size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }} />}</Table.Td>
      {mayAct && (
        <Table.Td>
          <PlayerMenu player={state} onAction={onAction} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}
