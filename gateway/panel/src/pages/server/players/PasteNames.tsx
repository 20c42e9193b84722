import { Alert, Button, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAllowPlayers } from '../../../api/players.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { uiText } from '../../../ui/ui-text.ts';
import { type Edition, MOST_NAMES, pastedNames } from './pasted-names.ts';
import { playersText } from './players-text.ts';

export interface PasteNamesProps {
  instanceId: string;
  edition: Edition;
}

/** A button, and the dialog that adds many players to the whitelist. */
export function PasteNames(props: PasteNamesProps) {
  const t = useWords(playersText);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        {t('addSeveral')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t('addSeveralTitle')} keepTyped>
        <NamesForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function NamesForm({ instanceId, edition, onClose }: PasteNamesProps & { onClose: () => void }) {
  const t = useWords(playersText);
  const common = useWords(uiText);
  const [text, setText] = useState('');
  const allow = useAllowPlayers(instanceId);
  const { names, wrong } = pastedNames(text, edition);
  const problem = problemOf(names.length, wrong);
  const submit = async () => {
    const { added, failed } = await allow.mutateAsync(names);
    if (added.length > 0) notifyDone(t('addedSeveral', { count: added.length }));
    if (failed.length === 0) onClose();
    else setText(failed.map(({ name }) => name).join('\n'));
  };

  function problemOf(count: number, invalid: readonly string[]): string | undefined {
    if (invalid.length > 0) return t('wrongNames', { names: invalid.slice(0, 10).join(', ') });
    return count > MOST_NAMES ? t('tooManyNames', { most: MOST_NAMES, count }) : undefined;
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit().catch(() => undefined); // the form shows the error
      }}
    >
      <Stack>
        <Textarea
          label={t('names')}
          description={t('namesHint')}
          autosize
          minRows={5}
          maxRows={12}
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problem}
        />
        {allow.isError && <ProblemAlert error={allow.error} />}
        {allow.data && allow.data.failed.length > 0 && (
          <Alert
            color="warning"
            variant="light"
            role="alert"
            title={t('notAdded', { count: allow.data.failed.length })}
          >
            <List size="sm">
              {allow.data.failed.map(({ name, detail }) => (
                <List.Item key={name}>
                  <Text span inherit fw={600}>
                    {name}
                  </Text>{' '}
                  <span lang="en">{detail}</span>
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={allow.isPending} disabled={names.length === 0 || problem !== undefined}>
            {t('addCount', { count: names.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
