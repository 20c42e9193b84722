import { useState } from 'react';
import { type FilePlace, readContent, useFilesChanged, writeContent } from '../../../../api/files.ts';
import { asProblem } from '../../../../api/transport/problem.ts';
import { useWords } from '../../../../text/section.ts';
import { notifyDone, notifyProblem } from '../../../../ui/feedback/notify.tsx';
import { filesText } from '../files-text.ts';
import { decodeText, encodeText } from './text-format.ts';
import { MOST_EDITED_BYTES, type OpenedText } from './use-file.ts';

export interface EditedText {
  /** What the file held when it was last read or written here. */
  saved: { text: string; etag: string };
  /** What the editor was given last. */
  shown: string;
  /** What it holds now. */
  typed: string;
  isBusy: boolean;
  /** Somebody else has changed the file, so that it was not saved. */
  hasConflict: boolean;
  type(text: string): void;
  /** Saves what was typed. */
  save(): void;
  /** Shows this text and saves it over that of `etag`. */
  keep(text: string, etag: string): void;
  /** Shows this text of the file in the place of what was typed. */
  take(text: string, etag: string): void;
  /** Reads the file again in the place of what was typed. */
  reload(): Promise<void>;
  /** Forgets the conflict for now. */
  postpone(): void;
}

/** A text file while it is edited. */
export function useTextEditing(at: FilePlace, file: OpenedText): EditedText {
  const t = useWords(filesText);
  const filesChanged = useFilesChanged(at.instanceId);
  const [saved, setSaved] = useState({ text: file.text, etag: file.etag });
  const [shown, setShown] = useState(file.text);
  const [typed, setTyped] = useState(file.text);
  const [isBusy, setBusy] = useState(false);
  const [hasConflict, setConflict] = useState(false);

  const write = async (text: string, etag: string) => {
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
  const show = (text: string) => {
    setShown(text);
    setTyped(text);
  };
  const take = (text: string, etag: string) => {
    setSaved({ text, etag });
    show(text);
    setConflict(false);
  };
  return {
    saved,
    shown,
    typed,
    isBusy,
    hasConflict,
    type: setTyped,
    save: () => void write(typed, saved.etag),
    keep(text, etag) {
      show(text);
      void write(text, etag);
    },
    take,
    async reload() {
      const { bytes, etag } = await readContent(at, { start: 0, length: MOST_EDITED_BYTES });
      take(decodeText(bytes)?.text ?? '', etag);
    },
    postpone: () => setConflict(false),
  };
}
