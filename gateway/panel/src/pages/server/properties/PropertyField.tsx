import { NumberInput, Select, Switch, Text, TextInput } from '@mantine/core';
import type { Schemas } from '../../../api/transport/client.ts';
import { useLanguage } from '../../../text/language.ts';
import { MASK, SecretInput } from './SecretInput.tsx';
import { choiceLabel } from './words/choice-words.ts';
import { PROPERTY_WORDS } from './words/property-words.ts';

/** Gamekeeper sets these before each start; they are only shown. */
const MANAGED: readonly string[] = ['enable-rcon', 'rcon.port', 'rcon.password'];

export interface PropertyFieldProps {
  property: string;
  known: Schemas['Property'] | undefined;
  value: string;
  /** What there is without the edits. */
  present: string;
  changed: boolean;
  disabled: boolean;
  onChange: (value: string) => void;
}

/** The field that fits what a property may hold; with its own words where it is known, else with its name. */
export function PropertyField({ property, known, value, present, changed, disabled, onChange }: PropertyFieldProps) {
  const { language } = useLanguage();
  const own = PROPERTY_WORDS[property];
  const [label, description] = own?.[language] ?? [property, known?.description];
  const common = {
    label: <Label words={changed ? `${label} •` : label} property={own && property} />,
    description,
    disabled,
  };
  if (MANAGED.includes(property)) return <TextInput {...common} value={value} variant="filled" readOnly />;
  switch (typeFor(known, value)) {
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

/** What it is called, and the name that those know who have edited the file by hand. */
function Label({ words, property }: { words: string; property: string | undefined }) {
  return (
    <>
      {words}{' '}
      {property && (
        <Text span size="xs" fw={400} ff="monospace" c="dimmed">
          {property}
        </Text>
      )}
    </>
  );
}

/** What is unknown is a text, or a switch where it reads as one; so is a value that its own type does not have. */
function typeFor(known: Schemas['Property'] | undefined, value: string): Schemas['Property']['type'] {
  const isFlag = value === 'true' || value === 'false';
  if (!known) return isFlag ? 'boolean' : 'text';
  if (known.type === 'boolean' && !isFlag) return 'text';
  return known.type;
}
