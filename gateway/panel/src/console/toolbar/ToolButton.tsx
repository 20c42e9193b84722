import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ConsoleToolProps {
  label: string;
  icon: ReactNode;
  /** What it does takes a while, and is under way. It keeps the focus, and does nothing. */
  busy?: boolean;
  onClick: () => void;
}

export function ConsoleTool({ label, icon, busy = false, onClick }: ConsoleToolProps) {
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
