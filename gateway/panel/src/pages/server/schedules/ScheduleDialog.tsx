import { Button, Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import type { Schedule } from '../../../api/schedules.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { ACTIONS, CONDITIONS, type ScheduleValues, toScheduleValues } from './schedule-values.ts';
import { schedulesText } from './schedules-text.ts';
import { TimeInput } from './TimeInput.tsx';

export interface ScheduleDialogProps {
  /** The one to change; absent: a new one. */
  schedule?: Schedule | undefined;
  /** Rejects with what is wrong. */
  onSave: (values: ScheduleValues) => Promise<unknown>;
  onClose: () => void;
}

/** Adds a schedule, or changes one. */
export function ScheduleDialog({ schedule, onSave, onClose }: ScheduleDialogProps) {
  const t = useWords(schedulesText);
  const timeZones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const form = useForm<ScheduleValues>({ initialValues: toScheduleValues(schedule) });
  const { type, cron, timeZone, makeUp } = form.values;
  const announces = type === 'restart' || type === 'stop';
  const submit = async (values: ScheduleValues) => {
    setState({ busy: true });
    try {
      await onSave(values);
      onClose();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <Dialog
      keepTyped
      opened
      onClose={onClose}
      title={schedule ? t('change', { name: schedule.name }) : t('add')}
      size="lg"
    >
      <form onSubmit={form.onSubmit((values) => void submit(values))}>
        <Stack>
          <TextInput
            label={t('name')}
            placeholder={t('namePlaceholder')}
            required
            maxLength={64}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Select
            label={t('what')}
            data={ACTIONS.map((value) => ({ value, label: t(value) }))}
            allowDeselect={false}
            {...form.getInputProps('type')}
          />
          {type === 'command' && (
            <TextInput
              label={t('commandLine')}
              required
              ff="monospace"
              autoCapitalize="none"
              autoComplete="off"
              {...form.getInputProps('command')}
            />
          )}
          {type === 'backup' && (
            <Checkbox label={t('cloudReplicate')} {...form.getInputProps('cloudReplicate', { type: 'checkbox' })} />
          )}
          {announces && (
            <>
              <TextInput
                label={t('secondsBefore')}
                description={t('secondsBeforeHint')}
                inputMode="numeric"
                {...form.getInputProps('secondsBefore')}
              />
              <TextInput
                label={t('message')}
                placeholder={t('messagePlaceholder')}
                description={t('messageHint')}
                maxLength={200}
                {...form.getInputProps('message')}
              />
            </>
          )}
          <TimeInput cron={cron} timeZone={timeZone} onChange={(next) => form.setFieldValue('cron', next)} />
          <Select
            label={t('timeZone')}
            data={timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]}
            searchable
            allowDeselect={false}
            {...form.getInputProps('timeZone')}
          />
          <Select
            label={t('condition')}
            data={CONDITIONS.map((value) => ({ value, label: t(`when-${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('condition')}
          />
          <Group align="flex-end">
            <Checkbox label={t('makeUp')} {...form.getInputProps('makeUp', { type: 'checkbox' })} pb={8} />
            {makeUp && (
              <NumberInput
                label={t('graceMinutes')}
                suffix=" min"
                min={1}
                max={10_080}
                allowDecimal={false}
                hideControls
                w={160}
                {...form.getInputProps('graceMinutes')}
              />
            )}
          </Group>
          {state.error !== undefined && <ProblemAlert error={state.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={state.busy}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
