import { Checkbox, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useWords } from '../../../text/section.ts';
import { VERBATIM } from '../verbatim.ts';
import { programText } from './program-text.ts';
import { type ProgramValues, READY } from './program-values.ts';

type Input = (field: keyof ProgramValues, options?: { type: 'checkbox' }) => object;

interface ProgramFieldsProps {
  input: Input;
  ready: ProgramValues['ready'];
  /** Without the command and the environment for users who may not choose the program. */
  withCommand: boolean;
}

export function ProgramFields({ input, ready, withCommand }: ProgramFieldsProps) {
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
          {...VERBATIM}
          {...input('command')}
        />
      )}
      {withCommand && (
        <Textarea
          label={t('env')}
          description={t('envHint')}
          placeholder="MAP=castle"
          autosize
          maxRows={8}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...VERBATIM}
          {...input('env')}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('ready')}
          description={t('readyHint')}
          data={READY.map((value) => ({ value, label: t(value) }))}
          allowDeselect={false}
          {...input('ready')}
        />
        {ready === 'pattern' && (
          <TextInput
            label={t('readyPattern')}
            description={t('readyPatternHint')}
            placeholder="Server started"
            required
            maxLength={500}
            {...VERBATIM}
            {...input('readyPattern')}
          />
        )}
        {ready === 'seconds' && (
          <NumberInput
            label={t('readySeconds')}
            required
            min={1}
            max={3_600}
            suffix=" s"
            allowDecimal={false}
            hideControls
            {...input('readySeconds')}
          />
        )}
      </SimpleGrid>
      <TextInput
        label={t('stopCommand')}
        description={t('stopCommandHint')}
        placeholder="stop"
        maxLength={200}
        {...VERBATIM}
        {...input('stopCommand')}
      />
      <Checkbox label={t('udp')} {...input('udp', { type: 'checkbox' })} />
    </>
  );
}
