import { Button, Drawer, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlayerAction } from '../../../api/players.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { PlayerFace } from '../../../ui/display/PlayerFace.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { uiText } from '../../../ui/ui-text.ts';
import { actionsOn } from './actions-on-player.ts';
import { ListedDetails } from './ListedDetails.tsx';
import { isKnown, type PlayerState } from './player-state.ts';
import { playersText } from './players-text.ts';

export interface PlayerDrawerProps {
  /** Absent: the drawer is closed. */
  player: PlayerState | undefined;
  /** What is known about the player is not complete yet. */
  isLoading: boolean;
  onClose: () => void;
  /** False while a dialog is above it. */
  isOnTop: boolean;
  /** Absent: nothing can be changed now. */
  onAction?: (name: string, action: PlayerAction) => void;
}

/** Everything about one player, with the actions that make sense now. */
export function PlayerDrawer({ player, isLoading, onClose, isOnTop, onAction }: PlayerDrawerProps) {
  const t = useWords(playersText);
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
      {player && isLoading && <Skeleton h={240} />}
      {player && !isLoading && (
        <Stack>
          {isKnown(player) ? <Facts player={player} /> : <Text size="sm">{t('unknownPlayer')}</Text>}
          {onAction && <Actions player={player} onAction={onAction} />}
        </Stack>
      )}
    </Drawer>
  );
}

function Facts({ player: { online, seen, operators, allowlist, bans } }: { player: PlayerState }) {
  const t = useWords(playersText);
  const { duration } = useQuantities();
  const isOperator = operators !== undefined || online?.op === true;
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        <Fact name={t('online')}>{online ? <Since at={online.since} /> : t('no')}</Fact>
        {!online && seen && (
          <Fact name={t('lastSeen')}>
            <RelativeTime at={seen.lastSeen} />
          </Fact>
        )}
        {seen && <Fact name={t('playTime')}>{duration(seen.playSeconds)}</Fact>}
        <Fact name={t('allowlist')}>{t(allowlist ? 'yes' : 'no')}</Fact>
        <Fact name={t('operator')}>
          {t(isOperator ? 'yes' : 'no')} {operators && <ListedDetails player={operators} list="operators" />}
        </Fact>
        <Fact name={t('bans')}>
          {t(bans ? 'yes' : 'no')} {bans && <ListedDetails player={bans} list="bans" />}
        </Fact>
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
