import { Box } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { propertiesQuery } from '../../../api/properties.ts';
import { useSoftware } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { Motd } from '../../../ui/motd/Motd.tsx';

/** A message that the owner has not set says nothing about the server. */
const DEFAULT = 'A Minecraft Server';

/** The message of the day that players see, once it is on screen, if it is the server's own. */
export function ServerMotd({ instance: { id, software, pendingRestart } }: { instance: Instance }) {
  const { ref, inViewport } = useInViewport();
  const hasProperties = useSoftware().data?.find(({ kind }) => kind === software)?.properties === true;
  // Of many servers, all are shown before their messages.
  const isShown = useDeferredValue(inViewport);
  const { data } = useQuery({ ...propertiesQuery(id), enabled: isShown && hasProperties });
  const running = pendingRestart?.find(({ setting }) => setting === 'properties.motd')?.running;
  const motd = running ?? data?.properties.motd ?? '';
  return <Box ref={ref}>{motd !== '' && motd !== DEFAULT && <Motd motd={motd} />}</Box>;
}
