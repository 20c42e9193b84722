import { Alert, Button, Group, Paper, Stack, Switch, Text, Tooltip } from '@mantine/core';
import type { Schedule } from '../../../api/schedules.ts';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { describeCron } from './cron-words.ts';
import { RunResult } from './RunResult.tsx';
import { schedulesText } from './schedules-text.ts';

export interface ScheduleCardProps {
  schedule: Schedule;
  mayChange: boolean;
  busy: boolean;
  onEnable: (enabled: boolean) => void;
  onChange: () => void;
  onDelete: () => void;
}

export function ScheduleCard({ schedule, mayChange, busy, onEnable, onChange, onDelete }: ScheduleCardProps) {
  const t = useWords(schedulesText);
  const { language } = useLanguage();
  const { name, enabled, cron, timeZone, action, condition, nextRuns, lastRun, paused, pauseReason, savedBy } =
    schedule;
  const next = enabled && paused === undefined ? nextRuns?.[0] : undefined;
  return (
    <Paper p="md" component="li">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} flex={1} miw={220}>
          <Text fw={600}>{name}</Text>
          <Text size="sm">
            {t(action.type)}
            {action.type === 'command' && (
              <Text span inherit ff="monospace">
                {` ${action.command}`}
              </Text>
            )}
            {condition !== 'always' && ` · ${t(`when-${condition}`)}`}
          </Text>
          <Tooltip label={`${cron} (${timeZone})`}>
            <Text size="sm" c="dimmed" w="fit-content">
              {describeCron(cron, language) ?? cron}
            </Text>
          </Tooltip>
          <Text size="sm" c="dimmed">
            {next !== undefined && (
              <>
                {t('next')} <RelativeTime at={next} />
              </>
            )}
            {next !== undefined && lastRun && ' · '}
            {lastRun && <RunResult run={lastRun} />}
          </Text>
        </Stack>
        {mayChange && (
          <Group gap="xs">
            <Switch
              checked={enabled}
              disabled={busy}
              onChange={(event) => onEnable(event.currentTarget.checked)}
              aria-label={t('enabled', { name })}
            />
            <Button size="compact-sm" variant="default" onClick={onChange} aria-label={t('change', { name })}>
              {t('edit')}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="danger"
              onClick={onDelete}
              aria-label={t('deleteTitle', { name })}
            >
              {t('delete')}
            </Button>
          </Group>
        )}
      </Group>
      {enabled && paused !== undefined && (
        <Alert color="warning" variant="light" mt="sm" title={t('paused')}>
          {pauseReason === undefined ? paused : t(`paused-${pauseReason}`)}
          {savedBy !== undefined && ` ${t('resume', { user: savedBy })}`}
        </Alert>
      )}
    </Paper>
  );
}
