import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useWords } from '../../../text/section.ts';
import { programText } from './program-text.ts';

/** Of a server whose kind does not say how it is started. */
export interface ProgramValues {
  /** As `toCommand` reads it. */
  command: string;
  /** Empty: that of the kind. */
  stopCommand: string;
  udp: boolean;
}

type Input = (field: keyof ProgramValues, options?: { type: 'checkbox' }) => object;

interface ProgramFieldsProps {
  input: Input;
  /** Without the command for users who may not choose the program. */
  withCommand: boolean;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false };

export function ProgramFields({ input, withCommand }: ProgramFieldsProps) {
  const t = useWords(programText);
  return (
    <>
      {withCommand && (
        <Textarea
          label={t('command')}
          description={t('commandHint')}
          placeholder="java -jar server.jar nogui"
          required
          autosize
          maxRows={8}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...PLAIN}
          {...input('command')}
        />
      )}
      <TextInput
        label={t('stopCommand')}
        description={t('stopCommandHint')}
        placeholder="stop"
        maxLength={200}
        {...PLAIN}
        {...input('stopCommand')}
      />
      <Checkbox label={t('udp')} {...input('udp', { type: 'checkbox' })} />
    </>
  );
}
