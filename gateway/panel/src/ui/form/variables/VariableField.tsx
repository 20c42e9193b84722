import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  PasswordInput,
  type PasswordInputProps,
  Select,
  TextInput,
} from '@mantine/core';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords, type Words } from '../../../text/section.ts';
import { variablesText } from './variables-text.ts';

type Variable = Schemas['KindVariable'];

interface VariableFieldProps {
  variable: Variable;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** True if the user may not change it. */
  locked?: boolean;
  /** True for a secret that the server has and does not show. */
  kept?: boolean;
  /** Sets a secret back to its default, which is not shown. */
  onDefault?: () => void;
  /** True for a secret that gets its default when the form is saved. */
  toDefault?: boolean;
}

/** The form field of a variable. Empty is a value as well. */
export function VariableField(props: VariableFieldProps) {
  const { variable, value, onChange, error, locked = false, kept = false } = props;
  const t = useWords(variablesText);
  const { title, type, rule = {}, secret } = variable;
  const required = rule.required === true && !kept;
  const common = {
    label: title,
    description: [...hints(variable, t), ...(locked ? [t('adminOnly')] : [])].join(' ') || undefined,
    error,
    disabled: locked,
  };
  switch (type) {
    case 'boolean':
      return (
        <Checkbox
          {...common}
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          required={required}
          data={rule.choices ?? []}
          value={value || null}
          onChange={(choice) => onChange(choice ?? '')}
          allowDeselect={false}
          clearable={!required}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          required={required}
          value={value}
          onChange={(number) => onChange(String(number))}
          decimalScale={rule.decimals ?? 0}
          allowDecimal={rule.decimals !== undefined}
          hideControls
        />
      );
    case 'text': {
      const text = {
        ...common,
        required,
        value,
        onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
        ...(rule.maxLength !== undefined && { maxLength: rule.maxLength }),
      };
      return secret ? (
        <SecretField {...props} input={text} />
      ) : (
        <TextInput {...text} autoComplete="off" autoCapitalize="none" autoCorrect="off" spellCheck={false} />
      );
    }
  }
}

function SecretField({
  input,
  kept = false,
  locked = false,
  toDefault = false,
  onDefault,
}: VariableFieldProps & { input: PasswordInputProps }) {
  const t = useWords(variablesText);
  const placeholder = toDefault ? t('toDefault') : kept ? t('kept') : undefined;
  return (
    <Group align="flex-end" gap="xs">
      <PasswordInput
        {...input}
        flex={1}
        autoComplete="new-password"
        // Lines up with the button.
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        {...(placeholder && { placeholder })}
      />
      {onDefault && !locked && (
        <Button variant="default" onClick={onDefault} aria-label={t('defaultOf', { title: String(input.label) })}>
          {t('default')}
        </Button>
      )}
    </Group>
  );
}

function hints(
  { description, type, rule: { min, max, pattern } = {}, default: usual = '' }: Variable,
  t: Words<keyof typeof variablesText.en>,
): string[] {
  return [
    ...(description === undefined ? [] : [description]),
    ...(min !== undefined && max !== undefined ? [t('between', { min, max })] : []),
    ...(min !== undefined && max === undefined ? [t('atLeast', { min })] : []),
    ...(max !== undefined && min === undefined ? [t('atMost', { max })] : []),
    ...(pattern === undefined ? [] : [t('pattern', { pattern })]),
    ...(usual === '' || type === 'boolean' ? [] : [t('usual', { value: usual })]),
  ];
}
