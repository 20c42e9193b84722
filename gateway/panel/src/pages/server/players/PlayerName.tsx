import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { PlayerFace } from '../../../ui/display/PlayerFace.tsx';

export interface PlayerNameProps {
  name: string;
  onOpen: (name: string) => void;
  /** What follows the name. On a narrow screen it wraps below it. */
  children?: ReactNode;
}

/** A player's face and name, which open everything about the player. */
export function PlayerName({ name, onOpen, children }: PlayerNameProps) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <PlayerFace name={name} />
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
