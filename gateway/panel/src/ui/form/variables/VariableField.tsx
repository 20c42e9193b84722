import { Checkbox, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
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
}

/** The form field of a variable. Empty is a value as well. */
export function VariableField({ variable, value, onChange, error, locked = false, kept = false }: VariableFieldProps) {
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
      const props = {
        ...common,
        required,
        value,
        onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
        ...(rule.maxLength !== undefined && { maxLength: rule.maxLength }),
      };
      return secret ? (
        <PasswordInput {...props} autoComplete="new-password" placeholder={kept ? t('kept') : undefined} />
      ) : (
        <TextInput {...props} autoComplete="off" autoCapitalize="none" autoCorrect="off" spellCheck={false} />
      );
    }
  }
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
