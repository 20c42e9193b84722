import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlayerAction } from '../../../api/player-actions.ts';
import { type PlayerList, playerListQuery } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { PlayerHead } from '../../../ui/display/PlayerHead.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { playersText } from './players-text.ts';

/** What takes a player off a list. */
const UNDO = { bans: 'pardon', operators: 'deop', allowlist: 'unwhitelist' } as const satisfies Record<
  PlayerList,
  PlayerAction
>;

export interface PlayerListsProps {
  instanceId: string;
  lists: readonly PlayerList[];
  /** Absent: nobody can be taken off now. */
  onChoose?: (name: string, action: PlayerAction) => void;
}

/** The lists that the server keeps itself: who may not join, who may give orders, who may join where not everybody may. */
export function PlayerLists({ lists, ...props }: PlayerListsProps) {
  return lists.map((list) => <OneList key={list} list={list} {...props} />);
}

function OneList({ instanceId, list, onChoose }: Omit<PlayerListsProps, 'lists'> & { list: PlayerList }) {
  const t = useWords(playersText);
  const { data, isError, error, refetch } = useQuery(playerListQuery(instanceId, list));
  return (
    <Stack gap="xs" component="section" aria-label={t(list)}>
      <Title order={2}>{t(list)}</Title>
      {isError && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('nobody')}
        </Text>
      )}
      {data && data.length > 0 && (
        <Paper p="sm">
          <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
            {data.map(({ name, reason }) => (
              <Group key={name} component="li" justify="space-between" wrap="nowrap">
                <Group gap="sm" wrap="nowrap" miw={0}>
                  <PlayerHead name={name} />
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {name}{' '}
                    {reason !== undefined && (
                      <Text span inherit c="dimmed">
                        {reason}
                      </Text>
                    )}
                  </Text>
                </Group>
                {onChoose && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    style={{ flexShrink: 0 }}
                    aria-label={t('takeOff', { name })}
                    onClick={() => onChoose(name, UNDO[list])}
                  >
                    {t(UNDO[list])}
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
