import { NumberInput, PasswordInput, Select, Switch, Text, TextInput } from '@mantine/core';
import { useLanguage } from '../../../text/language.ts';
import { type Kind, KNOWN_PROPERTIES } from './known-properties.ts';

/** What stands for a secret that is there; written back, it leaves the secret as it is. */
const MASK = '********';

export interface PropertyFieldProps {
  property: string;
  value: string;
  changed: boolean;
  disabled: boolean;
  onChange: (value: string) => void;
}

/** The field that fits what a property may hold; with its own words where it is known, else with its name. */
export function PropertyField({ property, value, changed, disabled, onChange }: PropertyFieldProps) {
  const { language } = useLanguage();
  const known = KNOWN_PROPERTIES[property];
  const [label, description] = known?.words[language] ?? [property, undefined];
  const kind = kindOf(property, value);
  const common = {
    label: <Label words={changed ? `${label} •` : label} property={known && property} />,
    description,
    disabled,
  };
  switch (kind.type) {
    case 'flag':
      return (
        <Switch
          {...common}
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={value}
          min={kind.min}
          {...(kind.max !== undefined && { max: kind.max })}
          allowDecimal={false}
          onChange={(next) => onChange(String(next))}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={kind.words.includes(value) ? [...kind.words] : [value, ...kind.words]}
          value={value}
          allowDeselect={false}
          onChange={(next) => next !== null && onChange(next)}
        />
      );
    case 'managed':
      return <TextInput {...common} value={value} variant="filled" readOnly />;
    case 'text':
      return value === MASK ? (
        <PasswordInput {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
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

/** A property without words of its own whose value is a truth value is a switch all the same. */
function kindOf(property: string, value: string): Kind {
  const known = KNOWN_PROPERTIES[property]?.kind;
  if (known?.type === 'flag' && value !== 'true' && value !== 'false') return { type: 'text' };
  return known ?? { type: value === 'true' || value === 'false' ? 'flag' : 'text' };
}
