import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { PlayerFace } from '../../../ui/display/PlayerFace.tsx';
import type { PlayerState } from './player-state.ts';

export interface PlayerNameProps {
  player: Pick<PlayerState, 'name' | 'skin'>;
  onOpen: (name: string) => void;
  /** What follows the name. On a narrow screen it wraps below it. */
  children?: ReactNode;
}

/** A player's face and name, which open everything about the player. */
export function PlayerName({ player: { name, skin }, onOpen, children }: PlayerNameProps) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <PlayerFace name={name} skin={skin} />
      <Group gap="xs" miw={0}>
        <Anchor
          component="button"
          type="button"
          size="sm"
          c="inherit"
          mih={24}
          ta="start"
          style={{ overflowWrap: 'anywhere' }}
          onClick={() => onOpen(name)}
        >
          {name}
        </Anchor>
        {children}
      </Group>
    </Group>
  );
}
