import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Level } from './level.ts';

/** A value in the colour of its level, with a sign beside it, so that it does not depend on colour alone. `why`: read to everyone. */
export function Rated({ level, why, children }: { level: Level; why: string; children: ReactNode }) {
  if (level === 'good') return children;
  return (
    <span style={{ color: `var(--mantine-color-${level}-light-color)`, fontWeight: 600 }} title={why}>
      {children} <IconAlertTriangle size={14} role="img" aria-label={why} style={{ verticalAlign: '-2px' }} />
    </span>
  );
}
