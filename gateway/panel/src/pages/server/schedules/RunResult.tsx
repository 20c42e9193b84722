import { Text } from '@mantine/core';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { schedulesText } from './schedules-text.ts';

/** Readable on the page in both schemes. */
const YELLOW = 'var(--mantine-color-warning-light-color)';

const COLORS: Readonly<Partial<Record<Schemas['ScheduleRun']['result'], string>>> = {
  failed: 'danger',
  refused: 'danger',
  missed: YELLOW,
  paused: YELLOW,
};

export function RunResult({ run }: { run: Schemas['ScheduleRun'] }) {
  const t = useWords(schedulesText);
  const { result, startedAt, reason } = run;
  return (
    <>
      <Text span inherit c={COLORS[result] ?? 'inherit'}>
        {t(`result-${result}`)}
      </Text>{' '}
      <RelativeTime at={startedAt} />
      {reason !== undefined && (
        <>
          : <span lang="en">{reason}</span>
        </>
      )}
    </>
  );
}
