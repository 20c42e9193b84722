import { Alert, Button, Code, FileButton, Group, List, Stack, Text, Textarea, Title } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useState } from 'react';
import { useCheckKind, useSaveKind } from '../../../api/software.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { VERBATIM } from '../../../ui/form/verbatim.ts';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import { gamesText } from './games-text.ts';

type Checked = Schemas['CheckedKind'];

/** As the API allows, in characters. */
const LONGEST = 512 * 1024;

const PLAIN = {
  autosize: true,
  minRows: 6,
  ...VERBATIM,
  styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
} as const;

/** Adds a kind from a file: first the file is chosen, then everything in it is shown, then it is saved. */
export function AddKind({ onClose }: { onClose: () => void }) {
  const t = useWords(gamesText);
  const isPhone = useIsPhone();
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Checked>();
  return (
    <Dialog opened keepTyped onClose={onClose} title={t('add')} size="xl" fullScreen={isPhone}>
      {checked ? (
        <SaveStep checked={checked} onBack={() => setChecked(undefined)} onClose={onClose} />
      ) : (
        <ChooseStep text={text} onText={setText} onChecked={setChecked} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ChooseStepProps {
  text: string;
  onText: (text: string) => void;
  onChecked: (checked: Checked) => void;
  onClose: () => void;
}

function ChooseStep({ text, onText, onChecked, onClose }: ChooseStepProps) {
  const t = useWords(gamesText);
  const check = useCheckKind();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const choose = async (file: File | null) => {
    if (!file) return;
    setIsTooLarge(file.size > LONGEST);
    if (file.size <= LONGEST) onText(await file.text());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate(text, { onSuccess: onChecked });
      }}
    >
      <Stack>
        <Text size="sm">{t('addWords')}</Text>
        <FileButton accept=".json,.yml,.yaml,application/json" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} variant="default" w="fit-content" leftSection={<IconFile size={16} aria-hidden />}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
        <Textarea
          label={t('paste')}
          {...PLAIN}
          maxRows={16}
          maxLength={LONGEST}
          value={text}
          error={isTooLarge && t('tooLarge')}
          onChange={(event) => {
            setIsTooLarge(false);
            onText(event.currentTarget.value);
          }}
        />
        {check.error && <ProblemAlert error={check.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={check.isPending} disabled={text.trim() === ''}>
            {t('check')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface SaveStepProps {
  checked: Checked;
  onBack: () => void;
  onClose: () => void;
}

function SaveStep({ checked, onBack, onClose }: SaveStepProps) {
  const t = useWords(gamesText);
  const save = useSaveKind();
  const [text, setText] = useState(checked.text);
  const { problem } = checked;
  const submit = async () => {
    const { title } = await save.mutateAsync(text);
    notifyDone(t('saved', { title }));
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Errors are shown below.
        void submit().catch(() => undefined);
      }}
    >
      <Stack>
        <Alert color="warning" variant="light">
          {t('read')}
        </Alert>
        {problem !== undefined && text === checked.text && (
          <Alert color="danger" variant="light" title={t('problem')}>
            {problem}
          </Alert>
        )}
        <Textarea
          label={t('result')}
          description={t('resultHint')}
          {...PLAIN}
          maxLength={LONGEST}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Original checked={checked} />
        {save.error && <ProblemAlert error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What the file does not have of an egg or a template. */
function Original({ checked: { notes, scripts } }: { checked: Checked }) {
  const t = useWords(gamesText);
  return (
    <>
      {notes.length > 0 && (
        <Stack gap="xs">
          <Title order={3} size="sm">
            {t('notes')}
          </Title>
          <List size="sm">
            {notes.map((note) => (
              <List.Item key={note} className="breakable">
                {note}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
      {scripts.map(({ title, text }) => (
        <Stack key={title} gap="xs">
          <Title order={3} size="sm">
            {t('script', { title })}
          </Title>
          <Text size="sm" c="dimmed">
            {t('scriptHint')}
          </Text>
          <Code block tabIndex={0} aria-label={title} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Code>
        </Stack>
      ))}
    </>
  );
}
