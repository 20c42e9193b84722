import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../../text/section.ts';
import { editsOfText, toLines } from './edits.ts';
import { propertiesText } from './properties-text.ts';
import type { PropertyEdits } from './use-property-edits.ts';

export function RawProperties({ form, disabled }: { form: PropertyEdits; disabled: boolean }) {
  const t = useWords(propertiesText);
  // The text at the start distinguishes the user's edits from later changes by others.
  const [{ shown, edits, present }] = useState({ shown: form.stored, edits: form.edits, present: form.present });
  const [text, setText] = useState(() => toLines(shown));
  const type = (next: string) => {
    form.replace(editsOfText(next, { shown, edits }), present);
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
