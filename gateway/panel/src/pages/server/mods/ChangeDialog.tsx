import { Button, Checkbox, Group, List, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ModChange, type ModChanges, modPlanQuery, useModChange } from '../../../api/mods.ts';
import { asProblem } from '../../../api/transport/problem.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { modsText } from './mods-text.ts';

export function ChangeDialog({
  instanceId,
  change,
  onClose,
}: {
  instanceId: string;
  change: ModChange;
  onClose: () => void;
}) {
  const t = useWords(modsText);
  const plan = useQuery(modPlanQuery(instanceId, change));
  const mutation = useModChange(instanceId);
  const [force, setForce] = useState(false);
  const { type, title } = change;
  const isNeeded = mutation.error !== null && asProblem(mutation.error).code === 'mod_conflict' && type === 'remove';
  const apply = async () => {
    const { state } = await mutation.mutateAsync({ change, force });
    notifyDone(t(state === 'waiting' ? 'doneWaiting' : 'done'));
    onClose();
  };
  const nothing = plan.data?.changes.length === 0;
  return (
    <Dialog opened onClose={onClose} title={t(`${type}Title`, { name: title })}>
      <Stack>
        {type === 'remove' && <Text size="sm">{t('removeWarning')}</Text>}
        {plan.isLoading && <Loader size="sm" />}
        {plan.isError && <ProblemAlert error={plan.error} />}
        {nothing && <Text size="sm">{t('upToDate')}</Text>}
        {plan.data && <Changes changes={plan.data} />}
        {mutation.error && <ProblemAlert error={mutation.error} />}
        {isNeeded && (
          <Checkbox label={t('force')} checked={force} onChange={(event) => setForce(event.currentTarget.checked)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          {!nothing && (
            <Button
              color={type === 'remove' ? 'danger' : 'accent'}
              disabled={type !== 'remove' && !plan.data}
              loading={mutation.isPending}
              // Errors are shown above.
              onClick={() => void apply().catch(() => undefined)}
            >
              {t(type)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function Changes({ changes: { changes, notes } }: { changes: ModChanges }) {
  const t = useWords(modsText);
  return (
    <>
      <List size="sm">
        {changes.map(({ action, name, file, version, from, neededBy }) => (
          <List.Item key={`${action} ${file}`}>
            {t(`change-${action}`, { name, version: version ?? '', from: from ?? '' })}
            {neededBy && neededBy.length > 0 && ` (${t('neededBy', { names: neededBy.join(', ') })})`}
          </List.Item>
        ))}
      </List>
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
    </>
  );
}
