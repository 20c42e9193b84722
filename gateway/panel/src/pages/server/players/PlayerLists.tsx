import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PlayerAction } from '../../../api/players.ts';
import { type PlayerList, playerListQuery } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { PlayerFace } from '../../../ui/display/PlayerFace.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { playersText } from './players-text.ts';

const REMOVE = { bans: 'pardon', operators: 'deop', allowlist: 'unwhitelist' } as const satisfies Record<
  PlayerList,
  PlayerAction
>;

export interface PlayerListsProps {
  instanceId: string;
  lists: readonly PlayerList[];
  /** Absent: the lists cannot be changed now. */
  onAction?: (name: string, action: PlayerAction) => void;
}

export function PlayerLists({ lists, ...props }: PlayerListsProps) {
  return lists.map((list) => <OneList key={list} list={list} {...props} />);
}

function OneList({ instanceId, list, onAction }: Omit<PlayerListsProps, 'lists'> & { list: PlayerList }) {
  const t = useWords(playersText);
  const { data, isError, error, refetch } = useQuery(playerListQuery(instanceId, list));
  return (
    <Stack gap="xs" component="section" aria-label={t(list)}>
      <Title order={2}>{t(list)}</Title>
      {isError && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('emptyList')}
        </Text>
      )}
      {data && data.length > 0 && (
        <Paper p="sm">
          <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
            {data.map(({ name, reason }) => (
              <Group key={name} component="li" justify="space-between" wrap="nowrap">
                <Group gap="sm" wrap="nowrap" miw={0}>
                  <PlayerFace name={name} />
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {name}{' '}
                    {reason !== undefined && (
                      <Text span inherit c="dimmed">
                        {reason}
                      </Text>
                    )}
                  </Text>
                </Group>
                {onAction && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    style={{ flexShrink: 0 }}
                    aria-label={t('takeOff', { name })}
                    onClick={() => onAction(name, REMOVE[list])}
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
