import { Anchor, CloseButton, Group, List, Paper, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { schedulesQuery } from '../../../api/schedules.ts';
import { useSettings } from '../../../api/settings.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useUsers } from '../../../api/users.ts';
import { useWords } from '../../../text/section.ts';
import { onboardingText } from './onboarding-text.ts';
import { doneSteps, placeOf, STEPS, type Step } from './steps.ts';

interface ChecklistProps {
  /** Absent until the session is read. */
  totp: boolean | undefined;
  instances: readonly Instance[];
  /** Called when all steps are done, or the user wants to see no more of them. */
  onOver: () => void;
}

export function Checklist({ totp, instances, onOver }: ChecklistProps) {
  const done = useDoneSteps({ totp, instances });
  const isAllDone = done?.length === STEPS.length;
  useEffect(() => {
    if (isAllDone) onOver();
  }, [isAllDone, onOver]);
  const t = useWords(onboardingText);
  const [server] = instances;
  const hide = () => {
    onOver();
    // The focused button is gone.
    document.getElementById('content')?.focus();
  };
  if (!done || !server) return null;
  return (
    <Paper component="section" aria-labelledby="first-steps" p="md" mt="md">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={2} id="first-steps" size="h3">
          {t('title')}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {t('progress', { done: done.length, all: STEPS.length })}
          </Text>
        </Title>
        <CloseButton aria-label={t('hide')} title={t('hide')} onClick={hide} />
      </Group>
      <List listStyleType="none">
        {STEPS.map((step) => (
          <List.Item key={step} mt={6}>
            <StepLine step={step} isDone={done.includes(step)} place={placeOf(step, server.id)} />
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

/** Returns `undefined` until everything is known that shows it. */
function useDoneSteps({ totp, instances }: Pick<ChecklistProps, 'totp' | 'instances'>): Step[] | undefined {
  const users = useUsers().data;
  const settings = useSettings().data?.settings;
  const schedules = useQueries({
    queries: instances.map(({ id }) => schedulesQuery(id)),
    combine: (results) => results.map(({ data }) => data?.schedules),
  });
  if (totp === undefined || !users || !settings || schedules.includes(undefined)) return undefined;
  return doneSteps({
    ...{ totp, instances, users: users.length, isAnnounced: settings.lan.announce },
    schedules: schedules.flatMap((each) => each ?? []),
  });
}

function StepLine({ step, isDone, place }: { step: Step; isDone: boolean; place: string }) {
  const t = useWords(onboardingText);
  const style = { flexShrink: 0, marginTop: 2 };
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      {isDone ? (
        <IconCircleCheck
          size={18}
          role="img"
          aria-label={t('done')}
          color="var(--mantine-color-good-light-color)"
          style={style}
        />
      ) : (
        <IconCircle size={18} aria-hidden="true" color="var(--mantine-color-dimmed)" style={style} />
      )}
      <div>
        <Anchor component={Link} href={place} size="sm" td="underline">
          {t(step)}
        </Anchor>
        <Text size="xs" c="dimmed">
          {t(`${step}Hint`)}
        </Text>
      </div>
    </Group>
  );
}
