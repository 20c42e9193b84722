import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlayerAction } from '../../../api/players.ts';
import { type PlayerList, playerListQuery } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { ListedDetails } from './ListedDetails.tsx';
import { PasteNames } from './PasteNames.tsx';
import { PlayerName } from './PlayerName.tsx';
import type { Edition } from './pasted-names.ts';
import type { PlayerState } from './player-state.ts';
import { playersText } from './players-text.ts';

const REMOVE = { bans: 'pardon', operators: 'deop', allowlist: 'unwhitelist' } as const satisfies Record<
  PlayerList,
  PlayerAction
>;

export interface PlayerListsProps {
  instanceId: string;
  lists: readonly PlayerList[];
  edition: Edition;
  stateOf: (name: string) => PlayerState;
  onOpen: (name: string) => void;
  /** Absent: the lists cannot be changed now. */
  onAction?: (name: string, action: PlayerAction) => void;
}

export function PlayerLists({ lists, ...props }: PlayerListsProps) {
  return lists.map((list) => <OneList key={list} list={list} {...props} />);
}

function OneList({
  instanceId,
  list,
  edition,
  stateOf,
  onOpen,
  onAction,
}: Omit<PlayerListsProps, 'lists'> & { list: PlayerList }) {
  const t = useWords(playersText);
  const { data, isError, error, refetch } = useQuery(playerListQuery(instanceId, list));
  return (
    <Stack gap="xs" component="section" aria-label={t(list)}>
      <Group justify="space-between">
        <Title order={2}>{t(list)}</Title>
        {onAction && list === 'allowlist' && <PasteNames instanceId={instanceId} edition={edition} />}
      </Group>
      {isError && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('emptyList')}
        </Text>
      )}
      {data && data.length > 0 && (
        <Paper p="sm">
          <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
            {data.map((player) => (
              <Group key={player.name} component="li" justify="space-between" wrap="nowrap">
                <PlayerName player={stateOf(player.name)} onOpen={onOpen}>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    <ListedDetails player={player} list={list} />
                  </Text>
                </PlayerName>
                {onAction && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    style={{ flexShrink: 0 }}
                    aria-label={t('takeOff', { name: player.name })}
                    onClick={() => onAction(player.name, REMOVE[list])}
                  >
                    {t(REMOVE[list])}
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}
