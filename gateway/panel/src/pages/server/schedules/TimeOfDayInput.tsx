import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../../text/section.ts';
import { schedulesText } from './schedules-text.ts';
import { readTimeOfDay } from './simple-time.ts';

/** An hour and minute such as "04:30", in 24 hours like all times of schedules: browsers write `type="time"` their own way. */
export function TimeOfDayInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useWords(schedulesText);
  const [typed, setTyped] = useState(value);
  return (
    <TextInput
      label={t('time')}
      placeholder="04:00"
      required
      w={140}
      autoComplete="off"
      value={typed}
      error={readTimeOfDay(typed) === undefined ? t('badTime') : undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        const time = readTimeOfDay(event.currentTarget.value);
        if (time !== undefined) onChange(time);
      }}
      onBlur={() => setTyped(readTimeOfDay(typed) ?? value)}
    />
  );
}
