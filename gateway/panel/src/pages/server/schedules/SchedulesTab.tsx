import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type NewSchedule,
  type Schedule,
  scheduleRunsQuery,
  schedulesQuery,
  useSetSchedules,
} from '../../../api/schedules.ts';
import { useMayHaveStores } from '../../../api/settings.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { notifyDone, notifyProblem, notifyUndoable } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { useAddressPart } from '../../../ui/use-address-part.ts';
import type { TabProps } from '../tab-props.ts';
import { RunResult } from './RunResult.tsx';
import { ScheduleCard } from './ScheduleCard.tsx';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { fromScheduleValues } from './schedule-values.ts';
import { schedulesText } from './schedules-text.ts';

const SHOWN_RUNS = 20;

export function SchedulesTab({ instance, session }: TabProps) {
  const t = useWords(schedulesText);
  const { id } = instance;
  const query = useQuery(schedulesQuery(id));
  const runs = useQuery(scheduleRunsQuery(id));
  const set = useSetSchedules(id);
  const added = useAddressPart('new');
  const [editing, setEditing] = useState<Schedule>();
  const [deleting, setDeleting] = useState<Schedule>();
  const mayHaveStores = useMayHaveStores(session);
  const mayChange = session.role !== 'viewer';
  const { schedules = [], etag = '' } = query.data ?? {};

  const store = (changed: readonly NewSchedule[]) => set.mutateAsync({ schedules: changed, etag });
  /** Replaces the schedule with the same id, or adds a new one. */
  const put = (changed: NewSchedule) =>
    store(
      schedules.some((each) => each.id === changed.id)
        ? schedules.map((each) => (each.id === changed.id ? changed : each))
        : [...schedules, changed],
    );
  const remove = async (deleted: Schedule) => {
    const rest = schedules.filter(({ id }) => id !== deleted.id);
    const { etag: after } = await store(rest);
    const { id: _gone, ...again } = deleted;
    // It would run with the rights of whoever brings it back.
    const enabled = deleted.enabled && deleted.paused === undefined;
    notifyUndoable(t('deleted', { name: deleted.name }), () =>
      set.mutate({ schedules: [...rest, { ...again, enabled }], etag: after }, { onError: notifyProblem }),
    );
  };
  const add = mayChange && <Button onClick={() => added.open('schedule')}>{t('add')}</Button>;

  return (
    <Box className="page-width" py="md">
      {query.isPending && <Skeleton h={160} />}
      {query.isError && !query.data && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && schedules.length === 0 && (
        <EmptyState picture="lantern" title={t('emptyTitle')} action={add}>
          {t('empty')}
        </EmptyState>
      )}
      {schedules.length > 0 && (
        <Stack>
          <Group>{add}</Group>
          <Stack component="ul" m={0} p={0} gap="sm" style={{ listStyle: 'none' }}>
            {schedules.map((schedule) => (
              <ScheduleCard
                key={schedule.id}
                schedule={schedule}
                mayChange={mayChange}
                busy={set.isPending}
                onEnable={(enabled) => void put({ ...schedule, enabled }).catch(notifyProblem)}
                onChange={() => setEditing(schedule)}
                onDelete={() => setDeleting(schedule)}
              />
            ))}
          </Stack>
        </Stack>
      )}
      {runs.data && runs.data.length > 0 && (
        <Stack gap="xs" mt="xl">
          <Title order={2}>{t('history')}</Title>
          <Stack component="ol" m={0} p={0} gap={4} style={{ listStyle: 'none' }}>
            {runs.data.slice(0, SHOWN_RUNS).map((run) => (
              <Text key={`${run.scheduleId} ${run.startedAt}`} size="sm" component="li">
                {run.name} ({t(run.action)}): <RunResult run={run} />
              </Text>
            ))}
          </Stack>
        </Stack>
      )}
      {query.data && mayChange && (editing || added.value !== undefined) && (
        <ScheduleDialog
          schedule={editing}
          mayHaveStores={mayHaveStores}
          onClose={editing ? () => setEditing(undefined) : added.close}
          onSave={async (values) => {
            await put(fromScheduleValues(values, editing));
            notifyDone(t('saved'));
          }}
        />
      )}
      <Confirm
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={t('deleteTitle', { name: deleting?.name ?? '' })}
        action={t('delete')}
        onConfirm={async () => deleting && remove(deleting)}
      >
        {t('deleteWarning')}
      </Confirm>
    </Box>
  );
}
