import { Box } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { filesOn } from '../../../api/roles.ts';
import { serverIconQuery } from '../../../api/server-icon.ts';
import type { Session } from '../../../api/session.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { iconLetters } from '../../../ui/display/icon-letters.ts';

export interface ServerIconProps {
  instance: Instance;
  session: Session;
  /** Pixels. */
  size: number;
}

/** The server's own icon, once it is on screen; until then, and without one, the first letters of its name. */
export function ServerIcon({ instance, session, size }: ServerIconProps) {
  const { ref, inViewport } = useInViewport();
  const mayRead = filesOn(session, instance.id) !== undefined;
  // Of many servers, all are shown before their icons.
  const isShown = useDeferredValue(inViewport);
  const { data } = useQuery({ ...serverIconQuery(instance.id), enabled: isShown && mayRead });
  const { letters, color } = iconLetters(instance);
  return (
    <Box ref={ref} w={size} h={size} className="server-icon" style={{ background: data?.url ? undefined : color }}>
      {data?.url ? (
        <img src={data.url} alt="" width={size} height={size} />
      ) : (
        <span aria-hidden="true" style={{ fontSize: size * 0.42 }}>
          {letters}
        </span>
      )}
    </Box>
  );
}
