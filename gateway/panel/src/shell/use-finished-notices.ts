import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onFinishedJob } from '../api/live/finished-jobs.ts';
import { INSTANCES } from '../api/query-keys.ts';
import type { Instance } from '../api/transport/client.ts';
import { section, useWords } from '../text/section.ts';
import { serverNameOf } from '../ui/display/server-name.ts';
import { notifyDone, notifyInfo } from '../ui/feedback/notify.tsx';

const text = section({
  en: {
    restore: '{name} was restored. Its previous state was backed up first.',
    verify: 'A backup of {name} was verified. The result is shown on the Backups tab.',
    drill: 'The test restore of {name} succeeded.',
  },
  de: {
    restore: '{name} wurde wiederhergestellt. Der vorherige Stand wurde zuvor gesichert.',
    verify: 'Eine Sicherung von {name} wurde geprüft. Das Ergebnis steht unter „Sicherungen“.',
    drill: 'Die Test-Wiederherstellung von {name} war erfolgreich.',
  },
  zh: {
    restore: '{name} 已恢复。恢复前的状态已先行备份。',
    verify: '{name} 的一个备份已校验，结果显示在“备份”标签页中。',
    drill: '{name} 的测试恢复成功。',
  },
});

/** Reports finished jobs that create nothing the user would see, such as a verification. */
export function useFinishedNotices(): void {
  const t = useWords(text);
  const queries = useQueryClient();
  useEffect(
    () =>
      onFinishedJob(({ kind, instanceId }) => {
        if (kind !== 'restore' && kind !== 'verify' && kind !== 'drill') return;
        // A verification has finished, whatever it found.
        const notify = kind === 'verify' ? notifyInfo : notifyDone;
        notify(t(kind, { name: serverNameOf(instanceId, queries.getQueryData<Instance[]>(INSTANCES)) }));
      }),
    [t, queries],
  );
}
