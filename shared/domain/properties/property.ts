/**
 * What is known of one key of `server.properties`: the shape of the elements of `java.json` and `bedrock.json`. Data only, from
 * minecraft.wiki ("server.properties"), docs.papermc.io and learn.microsoft.com ("Bedrock Dedicated Server Properties").
 */
export interface KnownProperty {
  key: string;
  type: 'boolean' | 'integer' | 'decimal' | 'choice' | 'text';
  /** Of numbers; absent: as low or high as 32 bits go. */
  minimum?: number;
  maximum?: number;
  choices?: readonly string[];
  /** What a choice may be called as well, as older versions did. */
  olderForms?: readonly string[];
  /** Regular expression for the whole of a text, and what it allows in words. */
  pattern?: string;
  allowed?: string;
  /** What the game takes where the file does not say; `null`: depends on the version. */
  default: string | null;
  /** One line. */
  description: string;
  /** First version of Minecraft that has it. Absent: all that we know of. */
  since?: string;
  /** First version that has it no more. */
  until?: string;
  /** When a change counts: for worlds that are made from then on; absent: with the next start. */
  takesEffect?: 'new-world';
}

const LOWEST = -2_147_483_648;
const HIGHEST = 2_147_483_647;

/** What is wrong with a value, as the end of a sentence that begins with the key; `undefined`: nothing. */
export function valueProblem(property: KnownProperty, value: string): string | undefined {
  return fits(property, value) ? undefined : `must be ${allowedValues(property)}`;
}

/** What a property may hold, in words. */
function allowedValues({ type, minimum = LOWEST, maximum = HIGHEST, choices = [], allowed }: KnownProperty): string {
  switch (type) {
    case 'boolean':
      return '"true" or "false"';
    case 'integer':
      return `a whole number from ${minimum} to ${maximum}`;
    case 'decimal':
      return maximum === HIGHEST ? `a number of at least ${minimum}` : `a number from ${minimum} to ${maximum}`;
    case 'choice':
      return `one of ${choices.join(', ')}`;
    case 'text':
      return allowed ?? 'text';
  }
}

function fits(property: KnownProperty, value: string): boolean {
  const { type, minimum = LOWEST, maximum = HIGHEST, choices = [], olderForms = [], pattern } = property;
  const isWithin = () => Number(value) >= minimum && Number(value) <= maximum;
  switch (type) {
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'integer':
      return /^-?\d{1,10}$/.test(value) && isWithin();
    case 'decimal':
      return /^-?\d{1,10}(?:\.\d{1,10})?$/.test(value) && isWithin();
    case 'choice':
      return choices.includes(value) || olderForms.includes(value);
    case 'text':
      return pattern === undefined || new RegExp(pattern).test(value);
  }
}
