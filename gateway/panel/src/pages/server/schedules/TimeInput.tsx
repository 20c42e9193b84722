import { Group, List, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import { describeCron, upcoming } from './cron-words.ts';
import { schedulesText } from './schedules-text.ts';
import { cronOf, dayName, type SimpleTime, simpleTimeOf, WEEK_DAYS } from './simple-time.ts';
import { TimeOfDayInput } from './TimeOfDayInput.tsx';

const SHOWN_RUNS = 5;
const DEFAULTS: Readonly<Record<SimpleTime['every'], SimpleTime>> = {
  hour: { every: 'hour', minute: 0 },
  day: { every: 'day', time: '04:00' },
  week: { every: 'week', day: '1', time: '04:00' },
};

export interface TimeInputProps {
  cron: string;
  timeZone: string;
  onChange: (cron: string) => void;
}

export function TimeInput({ cron, timeZone, onChange }: TimeInputProps) {
  const t = useWords(schedulesText);
  const { language } = useLanguage();
  const simple = simpleTimeOf(cron);
  const [own, setOwn] = useState(simple === undefined);
  const words = describeCron(cron, language);
  const next = useMemo(() => upcoming(cron, { timeZone, count: SHOWN_RUNS }), [cron, timeZone]);
  const every = own || !simple ? 'own' : simple.every;

  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <Select
          label={t('when')}
          data={(['hour', 'day', 'week', 'own'] as const).map((value) => ({ value, label: t(value) }))}
          value={every}
          allowDeselect={false}
          w={150}
          onChange={(chosen) => {
            setOwn(chosen === 'own');
            if (chosen === 'hour' || chosen === 'day' || chosen === 'week') onChange(cronOf(DEFAULTS[chosen]));
          }}
        />
        {every === 'own' ? (
          <TextInput
            label={t('cron')}
            value={cron}
            ff="monospace"
            w={180}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          simple && <SimpleInputs simple={simple} onChange={(changed) => onChange(cronOf(changed))} />
        )}
      </Group>
      {words !== undefined && next.length > 0 && (
        <div role="status">
          <Text size="sm">{words}</Text>
          <List size="sm" c="dimmed" aria-label={t('nextRuns')}>
            {next.map((at) => (
              <List.Item key={at.getTime()}>
                {at.toLocaleString(language, { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23', timeZone })}
              </List.Item>
            ))}
          </List>
        </div>
      )}
      {(words === undefined || next.length === 0) && (
        <Text size="sm" c="danger" role="status">
          {t('noTime')}
        </Text>
      )}
    </Stack>
  );
}

function SimpleInputs({ simple, onChange }: { simple: SimpleTime; onChange: (simple: SimpleTime) => void }) {
  const t = useWords(schedulesText);
  const { language } = useLanguage();
  if (simple.every === 'hour')
    return (
      <NumberInput
        label={t('minute')}
        value={simple.minute}
        min={0}
        max={59}
        clampBehavior="strict"
        allowDecimal={false}
        w={110}
        onChange={(minute) => onChange({ every: 'hour', minute: Number(minute) })}
      />
    );
  return (
    <>
      {simple.every === 'week' && (
        <Select
          label={t('weekDay')}
          data={WEEK_DAYS.map((value) => ({ value, label: dayName(Number(value), language) }))}
          value={simple.day}
          allowDeselect={false}
          w={140}
          onChange={(day) => day !== null && onChange({ ...simple, day })}
        />
      )}
      <TimeOfDayInput value={simple.time} onChange={(time) => onChange({ ...simple, time })} />
    </>
  );
}
