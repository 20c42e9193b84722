import { asProblem } from '../../api/transport/problem.ts';

/**
 * Puts what the daemon says about one field beside that field: the detail of `invalid_request` begins with its name
 * ("memoryMb: must be ..."). Empty where it is about something else.
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
