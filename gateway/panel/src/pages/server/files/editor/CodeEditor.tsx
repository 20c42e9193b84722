import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type CodeOptions, codeExtensions } from './code-view.ts';

export interface CodeEditorProps extends Omit<CodeOptions, 'isDark'> {
  /** A new text replaces what was typed. */
  text: string;
  onChange: (text: string) => void;
}

/** Edits or shows a text. */
export function CodeEditor({ text, onChange, name, label, isReadOnly, wrong }: CodeEditorProps) {
  const isDark = useComputedColorScheme() === 'dark';
  const place = useRef<HTMLDivElement>(null);
  const typed = useRef({ from: text, text, onChange });
  useEffect(() => {
    typed.current.onChange = onChange;
  });
  useEffect(() => {
    // A change of colours keeps what was typed.
    if (typed.current.from !== text) typed.current = { ...typed.current, from: text, text };
    const view = new EditorView({
      state: EditorState.create({
        doc: typed.current.text,
        extensions: [
          codeExtensions({ name, label, isReadOnly, isDark, wrong }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            typed.current.text = state.doc.toString();
            typed.current.onChange(typed.current.text);
          }),
        ],
      }),
      parent: place.current!,
    });
    view.focus();
    return () => view.destroy();
  }, [text, name, label, isReadOnly, isDark, wrong]);
  return <div ref={place} style={{ flex: 1, minHeight: 200, display: 'grid', overflow: 'hidden' }} />;
}
