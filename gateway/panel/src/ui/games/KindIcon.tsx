import { Box } from '@mantine/core';
import type { Schemas } from '../../api/transport/client.ts';
import { iconLetters } from '../display/icon-letters.ts';
import { KIND_DRAWINGS } from './kind-drawings.ts';

interface KindIconProps {
  software: Pick<Schemas['Software'], 'kind' | 'title'>;
  /** Pixels. */
  size: number;
}

/** The drawing of a kind; without one, the first letters of its title. */
export function KindIcon({ software: { kind, title }, size }: KindIconProps) {
  const { letters, color } = iconLetters({ id: kind, name: title });
  const drawing = Object.hasOwn(KIND_DRAWINGS, kind) ? KIND_DRAWINGS[kind] : undefined;
  return (
    <Box component="span" w={size} h={size} className="server-icon" style={{ background: color }} aria-hidden>
      {drawing === undefined ? (
        <span style={{ fontSize: size * 0.42 }}>{letters}</span>
      ) : (
        <svg width={size * 0.66} height={size * 0.66} viewBox="0 0 24 24" className="kind-drawing" aria-hidden="true">
          <path d={drawing} />
        </svg>
      )}
    </Box>
  );
}
