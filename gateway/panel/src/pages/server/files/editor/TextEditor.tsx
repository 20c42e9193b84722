import { Badge, Button, Group, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { type FilePlace, readContent, useFilesChanged, writeContent } from '../../../../api/files.ts';
import { asProblem } from '../../../../api/transport/problem.ts';
import { useWords } from '../../../../text/section.ts';
import { Loading } from '../../../../ui/feedback/Loading.tsx';
import { lazyPart } from '../../../../ui/feedback/lazy-part.ts';
import { notifyDone, notifyProblem } from '../../../../ui/feedback/notify.tsx';
import { PartBoundary } from '../../../../ui/feedback/PartBoundary.tsx';
import { useUnsavedGuard } from '../../../../ui/form/unsaved.ts';
import { nameOf } from '../file-path.ts';
import { filesText } from '../files-text.ts';
import { decodeText, encodeText, fitsLatin1 } from './text-format.ts';
import { MOST_EDITED_BYTES, type OpenedFile } from './use-file.ts';

// CodeMirror is large.
const CodeEditor = lazyPart(async () => (await import('./CodeEditor.tsx')).CodeEditor);
const HistoryDialog = lazyPart(async () => (await import('./HistoryDialog.tsx')).HistoryDialog);
const Conflict = lazyPart(async () => (await import('./Conflict.tsx')).Conflict);

export interface TextEditorProps {
  at: FilePlace;
  file: Extract<OpenedFile, { kind: 'text' }>;
  mayWrite: boolean;
  onClose: () => void;
}

export function TextEditor({ at, file, mayWrite, onClose }: TextEditorProps) {
  const t = useWords(filesText);
  const filesChanged = useFilesChanged(at.instanceId);
  const [saved, setSaved] = useState({ text: file.text, etag: file.etag });
  const [shown, setShown] = useState(file.text);
  const [typed, setTyped] = useState(file.text);
  const [busy, setBusy] = useState(false);
  const [hasConflict, setConflict] = useState(false);
  const [showsHistory, setShowsHistory] = useState(false);
  const isReadOnly = !mayWrite || file.isReadOnly;
  const isChanged = typed !== saved.text;
  useUnsavedGuard(isChanged);

  const save = async (text: string, etag: string) => {
    setBusy(true);
    try {
      const next = await writeContent(at, encodeText(text, file.format), etag);
      setSaved({ text, etag: next });
      setConflict(false);
      filesChanged();
      notifyDone(t('saved'));
    } catch (error) {
      if (asProblem(error).code === 'precondition_failed') setConflict(true);
      else notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const replace = (text: string, etag: string) => {
    setSaved({ text, etag });
    setShown(text);
    setTyped(text);
    setConflict(false);
  };
  const reload = async () => {
    const { bytes, etag } = await readContent(at, { start: 0, length: MOST_EDITED_BYTES });
    replace(decodeText(bytes)?.text ?? '', etag);
  };
  const name = nameOf(at.path);
  const isNoLongerLatin = file.format.encoding === 'Latin-1' && !fitsLatin1(typed);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+S in the editor inside does what the button below does
    <div
      className="server-tab"
      style={{ gap: 8 }}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (isChanged && !isReadOnly && !busy) void save(typed, saved.etag);
      }}
    >
      <Group justify="space-between">
        <Group gap="xs" style={{ minWidth: 0 }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {at.path}
          </Text>
          <Badge variant="default" tt="none">
            {`${isNoLongerLatin ? 'UTF-8' : file.format.encoding} · ${file.format.lineEnding}`}
          </Badge>
          {isReadOnly && (
            <Badge variant="default" tt="none">
              {t('readOnly')}
            </Badge>
          )}
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={() => setShowsHistory(true)}>
            {t('history')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          {!isReadOnly && (
            <Button disabled={!isChanged} loading={busy} onClick={() => void save(typed, saved.etag)}>
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
          onChange={setTyped}
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
          {hasConflict && (
            <Conflict
              at={at}
              mine={typed}
              onKeep={(text, etag) => {
                setShown(text);
                setTyped(text);
                void save(text, etag);
              }}
              onTake={replace}
              onClose={() => setConflict(false)}
            />
          )}
        </PartBoundary>
      </Suspense>
    </div>
  );
}
