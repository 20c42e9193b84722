import { MergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useWords } from '../../../../text/section.ts';
import { filesText } from '../files-text.ts';
import { codeExtensions } from './code-view.ts';

export interface BothTextsProps {
  /** Of the file, for its language. */
  name: string;
  left: { title: string; text: string };
  right: { title: string; text: string };
  /** Absent: the right one cannot be edited either. */
  onEdit?: (text: string) => void;
}

/** Two texts side by side, with what differs marked. */
export function BothTexts({ name, left, right, onEdit }: BothTextsProps) {
  const wrong = useWords(filesText)('syntax');
  const isDark = useComputedColorScheme() === 'dark';
  const place = useRef<HTMLDivElement>(null);
  const edited = useRef(onEdit);
  const isReadOnly = onEdit === undefined;
  useEffect(() => {
    edited.current = onEdit;
  });
  useEffect(() => {
    const view = new MergeView({
      a: {
        doc: left.text,
        extensions: codeExtensions({ name, isDark, wrong, label: left.title, isReadOnly: true }),
      },
      b: {
        doc: right.text,
        extensions: [
          codeExtensions({ name, isDark, wrong, label: right.title, isReadOnly }),
          EditorView.updateListener.of(({ state }) => edited.current?.(state.doc.toString())),
        ],
      },
      parent: place.current!,
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => view.destroy();
  }, [name, left.title, left.text, right.title, right.text, isDark, isReadOnly, wrong]);
  return (
    <>
      <Group grow>
        {[left.title, right.title].map((title) => (
          <Text key={title} size="sm" fw={600}>
            {title}
          </Text>
        ))}
      </Group>
      <div ref={place} style={{ maxHeight: '60vh', overflow: 'auto' }} />
    </>
  );
}
