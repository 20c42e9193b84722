import { asProblem } from '../../api/transport/problem.ts';

/** As `fieldErrors`, by the name of the input for each field. */
export function inputErrors(error: unknown, inputs: Readonly<Record<string, string>>): Record<string, string> {
  const found = Object.entries(fieldErrors(error, Object.keys(inputs)));
  return Object.fromEntries(found.map(([field, problem]) => [inputs[field] ?? field, problem ?? '']));
}

/**
 * Returns the error of the field that an `invalid_request` is about: its detail starts with the field's name, as in
 * "memoryMb: must be ...". Returns an empty object for any other error.
 */
export function fieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const { code, message } = asProblem(error);
  if (code !== 'invalid_request') return {};
  const [name, ...rest] = message.split(': ');
  const field = fields.find((each) => each === name || name?.startsWith(`${each}.`));
  return field === undefined ? {} : ({ [field]: rest.join(': ') } as Partial<Record<Field, string>>);
}
