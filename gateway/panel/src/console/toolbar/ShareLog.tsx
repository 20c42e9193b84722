import { ActionIcon, Menu } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { useSoftwareName } from '../../api/software.ts';
import type { Instance } from '../../api/transport/client.ts';
import { asRunning } from '../../pages/server/running-values.ts';
import { useWords } from '../../text/section.ts';
import { notifyInfo } from '../../ui/feedback/notify.tsx';
import { consoleText } from '../console-text.ts';
import { toReport } from '../log/report.ts';
import { saveFile } from '../log/save-file.ts';
import type { LiveConsole } from '../use-console.ts';
import { useReportedCopy } from './use-reported-copy.ts';

/** As many as the console loads at first. */
const LAST_LINES = 200;

export interface ShareLogProps {
  live: LiveConsole;
  instance: Instance;
}

/** Copies or saves whole lines of the log: those that are selected, or the last ones. Nothing is sent anywhere. */
export function ShareLog({ live: { terminal, selected }, instance }: ShareLogProps) {
  const t = useWords(consoleText);
  const reportedCopy = useReportedCopy();
  const softwareName = useSoftwareName();
  const newestLines = () => terminal.current?.lines.newest(LAST_LINES) ?? '';
  const selectedLines = async () => (await terminal.current?.lines.selectedText()) ?? '';

  const copy = async (lines: string) => {
    if (lines === '') notifyInfo(t('noLines'));
    else await reportedCopy(lines);
  };
  const copyReport = (lines: string) => {
    const source = { name: instance.name, software: softwareName(asRunning(instance)), at: Date.now() };
    return copy(lines === '' ? '' : toReport(lines, source));
  };
  const save = (lines: string, what: 'selection' | 'console') => {
    if (lines === '') notifyInfo(t('noLines'));
    else saveFile(new Blob([lines], { type: 'text/plain' }), `${instance.id}-${what}.log`);
  };

  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('share')} title={t('share')}>
          <IconShare2 size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {selected ? (
          <>
            <Menu.Item onClick={async () => copy(await selectedLines())}>{t('copyLines')}</Menu.Item>
            <Menu.Item onClick={async () => copyReport(await selectedLines())}>{t('copyReport')}</Menu.Item>
            <Menu.Item onClick={async () => save(await selectedLines(), 'selection')}>{t('saveLines')}</Menu.Item>
          </>
        ) : (
          <>
            <Menu.Item onClick={() => copy(newestLines())}>{t('copyLast', { count: LAST_LINES })}</Menu.Item>
            <Menu.Item onClick={() => copyReport(newestLines())}>
              {t('copyLastReport', { count: LAST_LINES })}
            </Menu.Item>
            <Menu.Item onClick={() => save(terminal.current?.lines.text() ?? '', 'console')}>
              {t('saveDisplayed')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
