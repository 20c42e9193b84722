import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { PlayerAction } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { actionsOn } from './actions-on-player.ts';
import type { PlayerState } from './player-state.ts';
import { playersText } from './players-text.ts';

export interface PlayerMenuProps {
  player: PlayerState;
  onAction: (name: string, action: PlayerAction) => void;
}

export function PlayerMenu({ player, onAction }: PlayerMenuProps) {
  const t = useWords(playersText);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOn', { name: player.name })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actionsOn(player).map((action) => (
          <Menu.Item
            key={action}
            {...(action === 'ban' && { color: 'danger' })}
            onClick={() => onAction(player.name, action)}
          >
            {t(action)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
