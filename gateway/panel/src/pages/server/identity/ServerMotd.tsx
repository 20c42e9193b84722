import { useQuery } from '@tanstack/react-query';
import { propertiesQuery } from '../../../api/properties.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { Motd } from '../../../ui/motd/Motd.tsx';

/** A message that the owner has not set says nothing about the server. */
const DEFAULT = 'A Minecraft Server';

/** The message of the day that players see, if it is the server's own. For a server with properties. */
export function ServerMotd({ instance: { id, pendingRestart } }: { instance: Instance }) {
  const { data } = useQuery(propertiesQuery(id));
  const running = pendingRestart?.find(({ setting }) => setting === 'properties.motd')?.running;
  const motd = running ?? data?.properties.motd ?? '';
  return motd !== '' && motd !== DEFAULT && <Motd motd={motd} />;
}
