import { Button, Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Schedule } from '../../../api/schedules.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { ACTIONS, CONDITIONS, DEFAULT_WARNINGS, type ScheduleValues, toScheduleValues } from './schedule-values.ts';
import { schedulesText } from './schedules-text.ts';
import { TimeInput } from './TimeInput.tsx';

export interface ScheduleDialogProps {
  /** Absent: adds a new one. */
  schedule?: Schedule | undefined;
  /** False: there is surely no off-site storage. */
  mayHaveStores: boolean;
  onSave: (values: ScheduleValues) => Promise<unknown>;
  onClose: () => void;
}

export function ScheduleDialog({ schedule, mayHaveStores, onSave, onClose }: ScheduleDialogProps) {
  const t = useWords(schedulesText);
  const save = useMutation({ mutationFn: onSave, onSuccess: onClose });
  const form = useForm<ScheduleValues>({ initialValues: toScheduleValues(schedule) });
  return (
    <Dialog
      keepTyped
      opened
      onClose={onClose}
      title={schedule ? t('change', { name: schedule.name }) : t('add')}
      size="lg"
    >
      <form
        onSubmit={form.onSubmit((values) => save.mutate({ ...values, name: values.name.trim() || t(values.type) }))}
      >
        <Stack>
          <TextInput
            label={t('name')}
            placeholder={t(form.values.type)}
            description={t('nameHint')}
            maxLength={64}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ActionFields form={form} mayHaveStores={mayHaveStores} />
          <TimeFields form={form} />
          {save.error && <ProblemAlert error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  form: UseFormReturnType<ScheduleValues>;
}

function ActionFields({ form, mayHaveStores }: FieldsProps & { mayHaveStores: boolean }) {
  const t = useWords(schedulesText);
  const { type } = form.values;
  return (
    <>
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
      {type === 'backup' && mayHaveStores && (
        <Checkbox label={t('cloudReplicate')} {...form.getInputProps('cloudReplicate', { type: 'checkbox' })} />
      )}
      {(type === 'restart' || type === 'stop') && (
        <>
          <TextInput
            label={t('secondsBefore')}
            description={t('secondsBeforeHint')}
            inputMode="numeric"
            {...form.getInputProps('secondsBefore')}
          />
          <TextInput
            label={t('message')}
            placeholder={DEFAULT_WARNINGS[type]}
            description={t('messageHint')}
            maxLength={200}
            {...form.getInputProps('message')}
          />
        </>
      )}
    </>
  );
}

function TimeFields({ form }: FieldsProps) {
  const t = useWords(schedulesText);
  const timeZones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const { cron, timeZone, makeUp } = form.values;
  return (
    <>
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
    </>
  );
}
