import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { INSTANCES } from '../api/instances.ts';
import { onFinished } from '../api/live/finished-jobs.ts';
import type { Instance } from '../api/transport/client.ts';
import { section, useWords } from '../text/section.ts';
import { notifyDone } from '../ui/feedback/notify.tsx';

const text = section({
  en: {
    restore: '{name} was restored. What it replaced was backed up first.',
    verify: 'A backup of {name} was checked. The result stands with it.',
    drill: 'Restoring {name} was rehearsed and works.',
  },
  de: {
    restore: '{name} wurde wiederhergestellt. Was ersetzt wurde, ist vorher gesichert worden.',
    verify: 'Eine Sicherung von {name} wurde geprüft. Das Ergebnis steht bei ihr.',
    drill: 'Die Wiederherstellung von {name} wurde geprobt und gelingt.',
  },
  zh: {
    restore: '{name} 已恢复。被替换的内容已先行备份。',
    verify: '{name} 的一个备份已校验，结果显示在该备份处。',
    drill: '{name} 的恢复演练成功。',
  },
});

/** Says what was done where nothing new comes of it that one could see; what else is made appears in its own place. */
export function useFinishedNotices(): void {
  const t = useWords(text);
  const queries = useQueryClient();
  useEffect(
    () =>
      onFinished(({ kind, instanceId }) => {
        if (kind !== 'restore' && kind !== 'verify' && kind !== 'drill') return;
        const instance = queries.getQueryData<Instance[]>(INSTANCES)?.find(({ id }) => id === instanceId);
        notifyDone(t(kind, { name: instance?.name ?? instanceId }));
      }),
    [t, queries],
  );
}
