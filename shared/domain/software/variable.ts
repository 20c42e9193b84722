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

const CONTROL = /\p{Cc}/u;
/** A surrogate without its other half. It has no encoding, for example in an address. */
const HALF_CHARACTER = /\p{Cs}/u;

/** Returns what is wrong with a value, to be read after the variable's name; `undefined` if nothing is. */
export function valueProblem({ type, rule = {} }: Pick<Variable, 'type' | 'rule'>, value: string): string | undefined {
  if (CONTROL.test(value)) return 'must be one line without control characters';
  if (HALF_CHARACTER.test(value)) return 'must be valid Unicode';
  if (value === '') return rule.required ? 'must not be empty' : undefined;
  switch (type) {
    case 'text':
      return textProblem(rule, value);
    case 'number':
      return numberProblem(rule, value);
    case 'boolean':
      return value === 'true' || value === 'false' ? undefined : 'must be true or false';
    case 'choice':
      return rule.choices?.includes(value) ? undefined : `must be one of ${(rule.choices ?? []).join(', ')}`;
  }
}

/** Returns the text that is filled in for a value. */
export function writtenValue({ type, rule }: Pick<Variable, 'type' | 'rule'>, value: string): string {
  return type === 'boolean' && (value === 'true' || value === 'false') ? (rule?.written?.[value] ?? value) : value;
}

function textProblem({ pattern, maxLength }: VariableRule, value: string): string | undefined {
  if (maxLength !== undefined && value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value)) return `must match ${pattern}`;
  return undefined;
}

function numberProblem({ min, max, decimals = 0 }: VariableRule, value: string): string | undefined {
  const digits = /^-?\d{1,15}(?:\.(\d{1,15}))?$/.exec(value);
  if (!digits) return 'must be a number';
  if ((digits[1] ?? '').length > decimals)
    return decimals === 0 ? 'must be a whole number' : `must have at most ${decimals} digits after the point`;
  const number = Number(value);
  if (min !== undefined && number < min) return `must be at least ${min}`;
  if (max !== undefined && number > max) return `must be at most ${max}`;
  return undefined;
}
