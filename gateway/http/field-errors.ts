import type * as z from 'zod';
import type { FieldError, FieldRule } from '../../shared/domain/field-error.ts';

type Broken = Pick<FieldError, 'rule' | 'limit'>;

/** Returns the errors of the fields that an issue of Zod is about; none if it is about the whole value. */
export function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: field ? `${field}.${key}` : key,
      rule: 'other',
      detail: 'is not a known field',
    }));
  if (field === '') return [];
  const isMissing = isAbsent(issue);
  const broken: Broken = isMissing ? { rule: 'required' } : brokenBy(issue);
  return [{ field, ...broken, detail: isMissing ? 'is required' : issue.message }];
}

/** Returns true if the value that an issue is about is missing. */
export function isAbsent(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

function brokenBy(issue: z.core.$ZodIssue): Broken {
  switch (issue.code) {
    case 'too_small':
      return issue.inclusive === false ? { rule: 'other' } : least(issue.origin, Number(issue.minimum));
    case 'too_big':
      return issue.inclusive === false ? { rule: 'other' } : most(issue.origin, Number(issue.maximum));
    case 'invalid_type':
      return { rule: ofType(issue.expected) };
    case 'invalid_value':
      return { rule: 'invalid_choice' };
    case 'invalid_format':
      return { rule: 'invalid_format' };
    default:
      return { rule: 'other' };
  }
}

function least(origin: string, limit: number): Broken {
  if (origin === 'string') return limit === 1 ? { rule: 'required' } : { rule: 'too_short', limit };
  return { rule: origin === 'array' ? 'too_few' : 'too_small', limit };
}

function most(origin: string, limit: number): Broken {
  if (origin === 'string') return { rule: 'too_long', limit };
  return { rule: origin === 'array' ? 'too_many' : 'too_big', limit };
}

function ofType(expected: string): FieldRule {
  if (expected === 'int') return 'not_whole';
  return expected === 'number' ? 'not_a_number' : 'other';
}
