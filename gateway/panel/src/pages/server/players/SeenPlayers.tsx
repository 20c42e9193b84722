import { Button, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PlayerAction, type SeenPlayer, seenPlayersQuery } from '../../../api/players.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { PlayerColumns } from './PlayerColumns.tsx';
import { PlayerMenu } from './PlayerMenu.tsx';
import { PlayerName } from './PlayerName.tsx';
import type { PlayerState } from './player-state.ts';
import { playersText } from './players-text.ts';

/** The rest, up to 1,000, is shown on request. */
const SHOWN_AT_FIRST = 20;

export interface SeenPlayersProps {
  instanceId: string;
  stateOf: (name: string) => PlayerState;
  onOpen: (name: string) => void;
  /** Absent: nothing can be changed now. */
  onAction?: (name: string, action: PlayerAction) => void;
}

/** Players who were on the server and are not now. */
export function SeenPlayers({ instanceId, stateOf, onOpen, onAction }: SeenPlayersProps) {
  const t = useWords(playersText);
  const { data = [], isError, error, refetch } = useQuery(seenPlayersQuery(instanceId));
  const [isWhole, setIsWhole] = useState(false);
  const absent = data.filter(({ name, online }) => !online && !stateOf(name).online);
  const shown = isWhole ? absent : absent.slice(0, SHOWN_AT_FIRST);
  if (!isError && absent.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label={t('seenBefore')}>
      <Title order={2}>{t('seenBefore')}</Title>
      {isError && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {shown.length > 0 && (
        <Paper>
          <Table verticalSpacing="xs">
            <PlayerColumns titles={[t('lastSeen'), t('playTime')]} hasActions={onAction !== undefined} />
            <Table.Tbody>
              {shown.map((player) => (
                <Table.Tr key={player.name}>
                  <SeenCells player={player} state={stateOf(player.name)} onOpen={onOpen} />
                  {onAction && (
                    <Table.Td>
                      <PlayerMenu player={stateOf(player.name)} onAction={onAction} />
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {shown.length < absent.length && (
        <Button variant="default" onClick={() => setIsWhole(true)}>
          {t('showAll', { count: absent.length })}
        </Button>
      )}
    </Stack>
  );
}

interface SeenCellsProps {
  player: SeenPlayer;
  state: PlayerState;
  onOpen: (name: string) => void;
}

function SeenCells({ player: { lastSeen, playSeconds }, state, onOpen }: SeenCellsProps) {
  const { duration } = useQuantities();
  return (
    <>
      <Table.Td>
        <PlayerName player={state} onOpen={onOpen} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={lastSeen} size="sm" c="dimmed" />
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed">
          {duration(playSeconds)}
        </Text>
      </Table.Td>
    </>
  );
}
