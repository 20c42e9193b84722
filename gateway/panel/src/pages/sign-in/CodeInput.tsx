import { Anchor, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../text/section.ts';
import { signInText } from './sign-in-text.ts';

/** A one-time code, typed with a phone's digits or filled in by the system; or one of the recovery codes, which have letters. */
export function CodeInput(field: TextInputProps) {
  const t = useWords(signInText);
  const [recovery, setRecovery] = useState(false);
  return (
    <TextInput
      // Another keyboard: iOS and Android choose it when the field gets the focus.
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
