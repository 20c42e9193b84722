import { Badge, Button, Group, Text } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import type { FilePlace } from '../../../../api/files.ts';
import { useWords } from '../../../../text/section.ts';
import { Loading } from '../../../../ui/feedback/Loading.tsx';
import { lazyPart } from '../../../../ui/feedback/lazy-part.ts';
import { notifyProblem } from '../../../../ui/feedback/notify.tsx';
import { PartBoundary } from '../../../../ui/feedback/PartBoundary.tsx';
import { useUnsavedGuard } from '../../../../ui/form/unsaved.ts';
import { nameOf } from '../file-path.ts';
import { filesText } from '../files-text.ts';
import { fitsLatin1 } from './text-format.ts';
import type { OpenedText } from './use-file.ts';
import { useTextEditing } from './use-text-editing.ts';

// CodeMirror is large.
const CodeEditor = lazyPart(async () => (await import('./CodeEditor.tsx')).CodeEditor);
const HistoryDialog = lazyPart(async () => (await import('./HistoryDialog.tsx')).HistoryDialog);
const Conflict = lazyPart(async () => (await import('./Conflict.tsx')).Conflict);

export interface TextEditorProps {
  at: FilePlace;
  file: OpenedText;
  mayWrite: boolean;
  onClose: () => void;
}

export function TextEditor({ at, file, mayWrite, onClose }: TextEditorProps) {
  const t = useWords(filesText);
  const { saved, shown, typed, isBusy, hasConflict, type, save, keep, take, reload, postpone } = useTextEditing(
    at,
    file,
  );
  const [showsHistory, setShowsHistory] = useState(false);
  const isReadOnly = !mayWrite || file.isReadOnly;
  const isChanged = typed !== saved.text;
  useUnsavedGuard(isChanged);

  const name = nameOf(at.path);
  const { encoding, lineEnding } = file.format;
  const isNoLongerLatin = encoding === 'Latin-1' && !fitsLatin1(typed);
  const format = `${isNoLongerLatin ? 'UTF-8' : encoding} · ${lineEnding}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+S in the editor inside does what the button below does
    <div
      className="server-tab"
      style={{ gap: 8 }}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (isChanged && !isReadOnly && !isBusy) save();
      }}
    >
      <Group justify="space-between">
        <Group gap="xs" style={{ minWidth: 0 }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {at.path}
          </Text>
          <Mark>{format}</Mark>
          {isReadOnly && <Mark>{t('readOnly')}</Mark>}
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={() => setShowsHistory(true)}>
            {t('history')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          {!isReadOnly && (
            <Button disabled={!isChanged} loading={isBusy} onClick={save}>
              {t('save')}
            </Button>
          )}
        </Group>
      </Group>
      <Suspense fallback={<Loading />}>
        <CodeEditor
          name={name}
          label={t('textOf', { name })}
          text={shown}
          isReadOnly={isReadOnly}
          wrong={t('syntax')}
          onChange={type}
        />
        <PartBoundary>
          {showsHistory && (
            <HistoryDialog
              at={at}
              present={saved.text}
              mayWrite={mayWrite && !isChanged}
              onClose={() => setShowsHistory(false)}
              onRestored={() => {
                setShowsHistory(false);
                reload().catch(notifyProblem);
              }}
            />
          )}
          {hasConflict && <Conflict at={at} mine={typed} onKeep={keep} onTake={take} onClose={postpone} />}
        </PartBoundary>
      </Suspense>
    </div>
  );
}

function Mark({ children }: { children: ReactNode }) {
  return (
    <Badge variant="default" tt="none">
      {children}
    </Badge>
  );
}
