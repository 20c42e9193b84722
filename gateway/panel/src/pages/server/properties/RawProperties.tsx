import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../../text/section.ts';
import { fromLines, realEdits, toLines } from './edits.ts';
import { propertiesText } from './properties-text.ts';
import type { PropertyEdits } from './use-property-edits.ts';

/** All properties as text, for those who know their names. */
export function RawProperties({ form, disabled }: { form: PropertyEdits; disabled: boolean }) {
  const t = useWords(propertiesText);
  const [text, setText] = useState(() => toLines(form.stored));
  // Only what was typed is an edit: somebody else may have changed the rest since.
  const type = (next: string) => {
    for (const [property, value] of Object.entries(realEdits(fromLines(next), fromLines(text))))
      form.set(property, value);
    setText(next);
  };
  return (
    <Textarea
      label={t('rawLabel')}
      description={t('rawHint')}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      readOnly={disabled}
      autosize
      minRows={12}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
