import type { FieldError } from '../field-error.ts';

export const VARIABLE_TYPES = ['text', 'number', 'boolean', 'choice'] as const;
export const VARIABLE_EDITORS = ['operator', 'admin', 'nobody'] as const;

/** A setting of a kind that its servers can have each in their own way. Its value is filled in for `{name}`. */
export interface Variable {
  name: string;
  /** Label of its form field; absent: the name. */
  title?: string;
  description?: string;
  type: (typeof VARIABLE_TYPES)[number];
  rule?: VariableRule;
  default: string;
  /** `operator`: everyone with `servers:write`; `admin`: whoever may change the instance's configuration; `nobody`: always the default. */
  editableBy: (typeof VARIABLE_EDITORS)[number];
  /** True if its value must not be shown. */
  secret?: boolean;
}

export interface VariableRule {
  /** True if it must not be empty. */
  required?: boolean;
  /** Text: the whole value must match. */
  pattern?: string;
  /** Text: in characters. */
  maxLength?: number;
  /** Numbers. */
  min?: number;
  max?: number;
  /** Numbers: digits after the point; absent: none. */
  decimals?: number;
  choices?: readonly string[];
  /** Booleans: what is filled in; absent: `true` and `false`. */
  written?: { true: string; false: string };
}

/** What is wrong with a value. */
export type Fault = Omit<FieldError, 'field'>;

const CONTROL = /\p{Cc}/u;
/** A surrogate without its other half. It has no encoding, for example in an address. */
const HALF_CHARACTER = /\p{Cs}/u;

/** Returns what is wrong with a value, to be read after the variable's name; `undefined` if nothing is. */
export function valueProblem(variable: Pick<Variable, 'type' | 'rule'>, value: string): string | undefined {
  return valueFault(variable, value)?.detail;
}

/** Returns the rule that a value breaks; `undefined` if it breaks none. */
export function valueFault({ type, rule = {} }: Pick<Variable, 'type' | 'rule'>, value: string): Fault | undefined {
  if (CONTROL.test(value)) return { rule: 'invalid_format', detail: 'must be one line without control characters' };
  if (HALF_CHARACTER.test(value)) return { rule: 'invalid_format', detail: 'must be valid Unicode' };
  if (value === '') return rule.required ? { rule: 'required', detail: 'must not be empty' } : undefined;
  switch (type) {
    case 'text':
      return textFault(rule, value);
    case 'number':
      return numberFault(rule, value);
    case 'boolean':
      return value === 'true' || value === 'false'
        ? undefined
        : { rule: 'invalid_choice', detail: 'must be true or false' };
    case 'choice':
      return rule.choices?.includes(value)
        ? undefined
        : { rule: 'invalid_choice', detail: `must be one of ${(rule.choices ?? []).join(', ')}` };
  }
}

/** Returns the text that is filled in for a value. */
export function writtenValue({ type, rule }: Pick<Variable, 'type' | 'rule'>, value: string): string {
  return type === 'boolean' && (value === 'true' || value === 'false') ? (rule?.written?.[value] ?? value) : value;
}

function textFault({ pattern, maxLength }: VariableRule, value: string): Fault | undefined {
  if (maxLength !== undefined && value.length > maxLength)
    return { rule: 'too_long', limit: maxLength, detail: `must have at most ${maxLength} characters` };
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value))
    return { rule: 'invalid_format', detail: `must match ${pattern}` };
  return undefined;
}

function numberFault({ min, max, decimals = 0 }: VariableRule, value: string): Fault | undefined {
  const digits = /^-?\d{1,15}(?:\.(\d{1,15}))?$/.exec(value);
  if (!digits) return { rule: 'not_a_number', detail: 'must be a number' };
  if ((digits[1] ?? '').length > decimals)
    return decimals === 0
      ? { rule: 'not_whole', detail: 'must be a whole number' }
      : { rule: 'other', detail: `must have at most ${decimals} digits after the point` };
  const number = Number(value);
  if (min !== undefined && number < min) return { rule: 'too_small', limit: min, detail: `must be at least ${min}` };
  if (max !== undefined && number > max) return { rule: 'too_big', limit: max, detail: `must be at most ${max}` };
  return undefined;
}
