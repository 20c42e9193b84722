import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FilePlace } from '../../../api/files.ts';
import { useWords } from '../../../text/section.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { pathIn } from './file-path.ts';
import { filesText } from './files-text.ts';

/** What gets a name, and its present one. */
export interface Naming {
  kind: 'folder' | 'file' | 'rename' | 'move' | 'copy' | 'zip';
  name: string;
}

export interface NameDialogProps {
  naming: Naming;
  /** The folder that it is in. */
  at: FilePlace;
  /** For `move` and `copy`, `typed` is a path from the server's folder, else a name in this folder. */
  onName: (naming: Naming, typed: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for a name, or for a path to move or copy to. */
export function NameDialog({ naming, at, onName, onClose }: NameDialogProps) {
  const t = useWords(filesText);
  const isPath = naming.kind === 'move' || naming.kind === 'copy';
  const [typed, setTyped] = useState(isPath ? pathIn(at.path, naming.name) : naming.name);
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const isName = typed.trim() !== '' && (isPath || !typed.includes('/'));
  const submit = async () => {
    setState({ busy: true });
    try {
      await onName(naming, typed.trim());
      onClose();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <Dialog opened onClose={onClose} title={t(`${naming.kind}Title`, { name: naming.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isName) void submit();
        }}
      >
        <Stack>
          <TextInput
            label={t(isPath ? 'newPath' : 'name')}
            {...(isPath && { description: t('newPathHint') })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={typed.includes('/') && !isPath ? t('noSlash') : undefined}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          {state.error !== undefined && <ProblemAlert error={state.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={state.busy} disabled={!isName}>
              {t(`${naming.kind}Do`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
