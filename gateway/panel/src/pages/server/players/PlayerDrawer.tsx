import { Button, Drawer, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlayerAction } from '../../../api/players.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { PlayerFace } from '../../../ui/display/PlayerFace.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { uiText } from '../../../ui/ui-text.ts';
import { actionsOn } from './actions-on-player.ts';
import { ListedDetails } from './ListedDetails.tsx';
import { isKnown, type PlayerState, type PlayerStates } from './player-state.ts';
import { playersText } from './players-text.ts';

export interface PlayerDrawerProps {
  /** Absent: the drawer is closed. */
  player: PlayerState | undefined;
  /** Whether all that is known about players has been loaded. */
  states: Omit<PlayerStates, 'stateOf'>;
  onClose: () => void;
  /** False while a dialog is above it. */
  isOnTop: boolean;
  /** Absent: nothing can be changed now. */
  onAction?: (name: string, action: PlayerAction) => void;
}

/** Everything about one player, with the actions that make sense now. */
export function PlayerDrawer({ player, states, onClose, isOnTop, onAction }: PlayerDrawerProps) {
  const common = useWords(uiText);
  return (
    <Drawer
      opened={player !== undefined}
      onClose={onClose}
      position="right"
      size="sm"
      closeOnEscape={isOnTop}
      trapFocus={isOnTop}
      closeButtonProps={{ 'aria-label': common('close') }}
      title={
        player && (
          <Group gap="sm" wrap="nowrap">
            <PlayerFace name={player.name} skin={player.skin} />
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {player.name}
            </Text>
          </Group>
        )
      }
    >
      {player && states.isLoading && <Skeleton h={240} />}
      {player && !states.isLoading && (
        <Stack>
          {states.error && <ProblemAlert error={states.error} onRetry={states.retry} />}
          <Facts player={player} isComplete={!states.error} />
          {onAction && <Actions player={player} onAction={onAction} />}
        </Stack>
      )}
    </Drawer>
  );
}

/** `isComplete`: what is not known about the player is not so. */
function Facts({ player, isComplete }: { player: PlayerState; isComplete: boolean }) {
  const t = useWords(playersText);
  const { duration } = useQuantities();
  if (!isKnown(player)) return isComplete && <Text size="sm">{t('unknownPlayer')}</Text>;
  const { online, seen, operators, allowlist, bans } = player;
  const isOperator = operators !== undefined || online?.op === true;
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {(online || isComplete) && <Fact name={t('online')}>{online ? <Since at={online.since} /> : t('no')}</Fact>}
        {!online && seen && (
          <Fact name={t('lastSeen')}>
            <RelativeTime at={seen.lastSeen} />
          </Fact>
        )}
        {seen && <Fact name={t('playTime')}>{duration(seen.playSeconds)}</Fact>}
        {(allowlist || isComplete) && <Fact name={t('allowlist')}>{t(allowlist ? 'yes' : 'no')}</Fact>}
        {(isOperator || isComplete) && (
          <Fact name={t('operator')}>
            {t(isOperator ? 'yes' : 'no')} {operators && <ListedDetails player={operators} list="operators" />}
          </Fact>
        )}
        {(bans || isComplete) && (
          <Fact name={t('bans')}>
            {t(bans ? 'yes' : 'no')} {bans && <ListedDetails player={bans} list="bans" />}
          </Fact>
        )}
      </Table.Tbody>
    </Table>
  );
}

function Since({ at }: { at: string | undefined }) {
  const t = useWords(playersText);
  return at === undefined ? t('yes') : <RelativeTime at={at} />;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={130}>{name}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}

function Actions({ player, onAction }: Required<Pick<PlayerDrawerProps, 'onAction'>> & { player: PlayerState }) {
  const t = useWords(playersText);
  return (
    <Group gap="xs">
      {actionsOn(player).map((action) => (
        <Button
          key={action}
          variant="default"
          {...(action === 'ban' && { color: 'danger', variant: 'light' })}
          onClick={() => onAction(player.name, action)}
        >
          {t(action)}
        </Button>
      ))}
    </Group>
  );
}
