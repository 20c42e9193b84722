import { usePortClash } from '../settings/use-clashes.ts';
import type { TabProps } from '../tab-props.ts';

/** The ports in `server.properties` besides that of the game, and the switch without which they are not used. */
const PORTS: Readonly<Record<string, { transport: 'tcp' | 'udp'; switch?: string }>> = {
  'server-portv6': { transport: 'udp' },
  'rcon.port': { transport: 'tcp', switch: 'enable-rcon' },
  'query.port': { transport: 'udp', switch: 'enable-query' },
  'management-server-port': { transport: 'tcp', switch: 'management-server-enabled' },
};

/** Returns a function that returns a warning for a property with a port that another server is set to use as well. */
export function usePortWarnings({
  instance,
  software,
  values,
}: Pick<TabProps, 'instance' | 'software'> & { values: Readonly<Record<string, string>> }): (
  property: string,
) => string | undefined {
  const clash = usePortClash(instance.id);
  return (property) => {
    const value = values[property] ?? '';
    if (property === 'server-port') return clash(value, software?.transport ?? 'tcp');
    const port = PORTS[property];
    const isOn = port && (port.switch === undefined || values[port.switch] === 'true');
    return isOn ? clash(value, port.transport) : undefined;
  };
}
