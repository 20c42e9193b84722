import { NumberInput, PasswordInput, type PasswordInputProps, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../../api/transport/client.ts';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import type { effectKey } from './effects.ts';
import { MotdInput } from './MotdInput.tsx';
import { NamedLabel } from './NamedLabel.tsx';
import { propertiesText } from './properties-text.ts';
import { inputTypeOf, MASK, typedSecret } from './property-input.ts';
import { choiceLabel } from './words/choice-words.ts';
import { PROPERTY_WORDS } from './words/property-words.ts';

/** Gamekeeper sets these before each start, so they are read-only. */
const MANAGED: readonly string[] = ['enable-rcon', 'rcon.port', 'rcon.password'];

export interface PropertyFieldProps {
  property: string;
  known: Schemas['Property'] | undefined;
  value: string;
  /** The value without edits. */
  present: string;
  changed: boolean;
  disabled: boolean;
  /** The key of the text that says when a change takes effect. */
  effect: ReturnType<typeof effectKey>;
  /** In place of the description. */
  warning: string | undefined;
  /** Shows what players will see of a message of the day. */
  preview: (motd: string) => ReactNode;
  onChange: (value: string) => void;
}

/** The input for a property's type, labelled with its description or, without one, with its key. */
export function PropertyField(props: PropertyFieldProps) {
  const { property, known, value, present, changed, disabled, effect, warning, preview, onChange } = props;
  const t = useWords(propertiesText);
  const { language } = useLanguage();
  const own = PROPERTY_WORDS[property];
  const [label, description] = own?.[language] ?? [property, known?.description];
  const named = { label: <NamedLabel label={changed ? `${label} •` : label} name={own && property} />, disabled };
  if (MANAGED.includes(property))
    return <TextInput {...named} description={warning ?? description} value={value} variant="filled" readOnly />;
  const common = { ...named, description: warning ?? [description, t(effect)].filter(Boolean).join(' ') };
  if (property === 'motd') return <MotdInput {...common} value={value} preview={preview} onChange={onChange} />;
  switch (inputTypeOf(known, value)) {
    case 'boolean':
      return (
        <Switch
          {...common}
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case 'integer':
    case 'decimal':
      return (
        <NumberInput
          {...common}
          value={value}
          {...(known?.minimum !== undefined && { min: known.minimum })}
          {...(known?.maximum !== undefined && { max: known.maximum })}
          allowDecimal={known?.type === 'decimal'}
          onChange={(next) => onChange(String(next))}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={[...new Set([value, ...(known?.choices ?? [])])].map((choice) => ({
            value: choice,
            label: choiceLabel(property, choice, language),
          }))}
          value={value}
          allowDeselect={false}
          onChange={(next) => next !== null && onChange(next)}
        />
      );
    case 'text':
      return known?.secret || present === MASK ? (
        <SecretInput {...common} value={value} onChange={onChange} />
      ) : (
        <TextInput
          {...common}
          value={value}
          maxLength={10_000}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

interface SecretInputProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (value: string) => void;
}

/** An input for a secret. Replaces the mask of a stored secret as a whole, so that no part of it ends up in the new one. */
function SecretInput({ value, onChange, ...props }: SecretInputProps) {
  return (
    <PasswordInput
      {...props}
      value={value}
      maxLength={10_000}
      // Otherwise the browser offers the user's own password.
      autoComplete="new-password"
      onSelect={({ currentTarget }) => {
        const { selectionStart, selectionEnd } = currentTarget;
        if (value === MASK && (selectionStart !== 0 || selectionEnd !== MASK.length)) currentTarget.select();
      }}
      onChange={({ currentTarget }) => onChange(typedSecret(value, currentTarget.value))}
    />
  );
}
