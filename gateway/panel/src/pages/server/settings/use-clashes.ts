import { useQuery } from '@tanstack/react-query';
import { useInstances } from '../../../api/instances.ts';
import { portsQuery } from '../../../api/ports.ts';
import { useSoftware } from '../../../api/software.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { section, useWords } from '../../../text/section.ts';

const text = section({
  en: {
    name: 'Another server has this name too. Both are shown with their IDs.',
    port: '{name} also uses this port. The two cannot run at the same time.',
    otherPort: '{name} uses this port for {purpose}. The two cannot run at the same time.',
  },
  de: {
    name: 'Ein anderer Server heißt auch so. Bei beiden wird die ID mit angezeigt.',
    port: '{name} verwendet diesen Port auch. Beide können nicht gleichzeitig laufen.',
    otherPort: '{name} verwendet diesen Port für {purpose}. Beide können nicht gleichzeitig laufen.',
  },
  zh: {
    name: '已有同名服务器。两者都会显示 ID。',
    port: '{name} 也使用此端口。两者不能同时运行。',
    otherPort: '{name} 将此端口用于 {purpose}。两者不能同时运行。',
  },
});

type ConfiguredPort = Schemas['ConfiguredPort'];

/** Names that are the same in every language. */
const PURPOSES: Partial<Record<ConfiguredPort['purpose'], string>> = {
  'game-ipv6': 'IPv6',
  query: 'Query',
  rcon: 'RCON',
  management: 'Management',
};

interface ServerChoice {
  /** Absent: a new server. */
  id?: string;
  name: string;
  port: number | '';
  software: string;
  /** Of software whose program the owner chooses. */
  udp?: boolean;
}

/** Returns warnings about another server with the same name or port; both are allowed. */
export function useClashes({ id, name, port, software, udp }: ServerChoice): { name?: string; port?: string } {
  const t = useWords(text);
  const kind = useSoftware().data?.find((each) => each.kind === software);
  const portClash = usePortClash(id);
  const namesake = (useInstances().data ?? []).find((other) => other.id !== id && other.name === name.trim());
  const transport = kind?.command ? (udp ? 'udp' : 'tcp') : (kind?.transport ?? 'tcp');
  const clash = portClash(port, transport);
  return { ...(namesake && { name: t('name') }), ...(clash !== undefined && { port: clash }) };
}

/** Returns a function that returns a warning if a server other than this one is set to use a port; `undefined`: none is. */
export function usePortClash(
  id: string | undefined,
): (port: number | string, transport: ConfiguredPort['transport']) => string | undefined {
  const t = useWords(text);
  const servers = useInstances().data ?? [];
  const ports = useQuery(portsQuery).data ?? [];
  return (port, transport) => {
    const taken = ports.find(
      (each) => each.instanceId !== id && each.port === Number(port) && each.transport === transport,
    );
    if (!taken) return undefined;
    const name = servers.find((each) => each.id === taken.instanceId)?.name ?? taken.instanceId;
    const purpose = taken.label ?? PURPOSES[taken.purpose];
    return purpose === undefined ? t('port', { name }) : t('otherPort', { name, purpose });
  };
}
