import type { Schemas } from '../../../api/transport/client.ts';

type Property = Schemas['Property'];

/** The API shows this for a stored secret; sent back, it leaves the secret unchanged. */
export const MASK = '********';

/** Returns the type of input for a property. A value that does not fit the property's type gets a text input. */
export function inputTypeOf(known: Pick<Property, 'type'> | undefined, value: string): Property['type'] {
  const isFlag = value === 'true' || value === 'false';
  if (!known) return isFlag ? 'boolean' : 'text';
  if (known.type === 'boolean' && !isFlag) return 'text';
  return known.type;
}

/** Returns the secret after a change of the input from `before` to `after`, without any part of the mask. */
export function typedSecret(before: string, after: string): string {
  return before === MASK ? after.replace(MASK, '') : after;
}
