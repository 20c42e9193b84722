import { asProblem } from '../../api/transport/problem.ts';
import type { FieldWords } from './field-words.ts';

/** An input in another unit than its field. The end of its name is the unit, as in `windowMinutes`. */
export interface ScaledInput {
  input: string;
  /** One of the input's unit, in the field's unit: 60 for minutes and seconds. */
  factor: number;
}

/** As `fieldErrors`, by the name of the input for each field. */
export function inputErrors(
  error: unknown,
  inputs: Readonly<Record<string, string | ScaledInput>>,
  words: FieldWords,
): Record<string, string> {
  const inputOf = (field: string) => {
    const input = inputs[field] ?? field;
    return typeof input === 'string' ? { input, factor: 1 } : input;
  };
  const scaledWords: FieldWords = (one) => {
    const { input, factor } = inputOf(one.field);
    return one.limit === undefined || factor === 1
      ? words(one)
      : words({ ...one, field: input, limit: one.limit / factor });
  };
  const found = Object.entries(fieldErrors(error, Object.keys(inputs), scaledWords));
  return Object.fromEntries(found.map(([field, problem]) => [inputOf(field).input, problem ?? '']));
}

/**
 * Returns the errors of the fields that an `invalid_request` is about: those that it lists, or else the one whose name its detail starts
 * with, as in "memoryMb: must be ...". Returns an empty object for any other error.
 */
export function fieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  words: FieldWords,
): Partial<Record<Field, string>> {
  const { code, message, errors } = asProblem(error);
  if (code !== 'invalid_request') return {};
  const fieldOf = (name: string | undefined) => fields.find((each) => each === name || name?.startsWith(`${each}.`));
  const listed = errors.map((one) => [fieldOf(one.field), words(one)] as const);
  const [name, ...rest] = message.split(': ');
  const shown = listed.length > 0 ? listed : [[fieldOf(name), rest.join(': ')] as const];
  return Object.fromEntries(shown.filter(([field]) => field !== undefined)) as Partial<Record<Field, string>>;
}
