import { Anchor, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../text/section.ts';
import { signInText } from './sign-in-text.ts';

/** A field for a one-time code or, at the user's choice, for a recovery code. */
export function CodeInput(field: TextInputProps) {
  const t = useWords(signInText);
  const [recovery, setRecovery] = useState(false);
  return (
    <TextInput
      // A new element: iOS and Android choose the keyboard when a field gets the focus.
      key={String(recovery)}
      label={t(recovery ? 'recoveryCode' : 'code')}
      inputMode={recovery ? 'text' : 'numeric'}
      autoComplete={recovery ? 'off' : 'one-time-code'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={32}
      required
      autoFocus
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={
        <Anchor component="button" type="button" size="sm" py={4} onClick={() => setRecovery(!recovery)}>
          {t(recovery ? 'useCode' : 'useRecoveryCode')}
        </Anchor>
      }
      {...field}
    />
  );
}
