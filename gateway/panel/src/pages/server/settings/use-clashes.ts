import { useInstances } from '../../../api/instances.ts';
import { useSoftware } from '../../../api/software.ts';
import { section, useWords } from '../../../text/section.ts';

const text = section({
  en: {
    name: 'Another server has this name too. Both are shown with their IDs.',
    port: '{name} also uses this port. The two cannot run at the same time.',
  },
  de: {
    name: 'Ein anderer Server heißt auch so. Bei beiden wird die ID mit angezeigt.',
    port: '{name} verwendet diesen Port auch. Beide können nicht gleichzeitig laufen.',
  },
  zh: {
    name: '已有同名服务器。两者都会显示 ID。',
    port: '{name} 也使用此端口。两者不能同时运行。',
  },
});

interface ServerChoice {
  /** Absent: a new server. */
  id?: string;
  name: string;
  port: number | '';
  software: string;
}

/** Returns warnings about another server with the same name or port; both are allowed. */
export function useClashes({ id, name, port, software }: ServerChoice): { name?: string; port?: string } {
  const t = useWords(text);
  const kinds = useSoftware().data ?? [];
  // Java and Bedrock servers listen on TCP and on UDP.
  const editionOf = (kind: string) => kinds.find((each) => each.kind === kind)?.edition;
  const others = (useInstances().data ?? []).filter((other) => other.id !== id);
  const namesake = others.find((other) => other.name === name.trim());
  const neighbour = others.find((other) => other.port === port && editionOf(other.software) === editionOf(software));
  return {
    ...(namesake && { name: t('name') }),
    ...(neighbour && { port: t('port', { name: neighbour.name }) }),
  };
}
