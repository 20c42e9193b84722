import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ToolButtonProps {
  label: string;
  icon: ReactNode;
  /** Shows a spinner and ignores clicks, but keeps the focus. */
  busy?: boolean;
  onClick: () => void;
}

export function ToolButton({ label, icon, busy = false, onClick }: ToolButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-busy={busy}
        onClick={() => {
          if (!busy) onClick();
        }}
      >
        {busy ? <Loader size={16} color="gray" /> : icon}
      </ActionIcon>
    </Tooltip>
  );
}
