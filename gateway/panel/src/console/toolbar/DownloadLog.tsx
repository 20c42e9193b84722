import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '../../api/transport/problem.ts';
import { useWords } from '../../text/section.ts';
import { notifyInfo, notifyProblem } from '../../ui/feedback/notify.tsx';
import { consoleText } from '../console-text.ts';
import { saveFile } from '../log/save-file.ts';
import { LogCutShort, readWholeLog } from '../log/whole-log.ts';
import type { LiveConsole } from '../use-console.ts';
import { ToolButton } from './ToolButton.tsx';

/** Downloads the log up to the newest line. The download continues if the user leaves the page. */
export function DownloadLog({ live: { tail, state }, instanceId }: { live: LiveConsole; instanceId: string }) {
  const t = useWords(consoleText);
  const [busy, setBusy] = useState(false);
  const download = async () => {
    if (tail.newest === 0 && state === 'open') return notifyInfo(t('emptyTitle'));
    setBusy(true);
    try {
      saveFile(await readWholeLog({ instanceId, last: tail.newest }), `${instanceId}.log`);
    } catch (error) {
      notifyProblem(error instanceof LogCutShort ? notDownloaded() : error);
    } finally {
      setBusy(false);
    }
  };
  const notDownloaded = () =>
    new Problem({
      status: 0,
      code: 'log_cut_short',
      title: t('notDownloaded'),
      detail: t('notDownloadedDetail'),
      resolution: t('notDownloadedHelp'),
    });
  return (
    <ToolButton label={t('download')} icon={<IconDownload size={16} />} busy={busy} onClick={() => void download()} />
  );
}
