/**
 * One key of `server.properties`, as in `java.json` and `bedrock.json`. Sources: minecraft.wiki ("server.properties"), docs.papermc.io and
 * learn.microsoft.com ("Bedrock Dedicated Server Properties").
 */
export interface KnownProperty {
  key: string;
  type: 'boolean' | 'integer' | 'decimal' | 'choice' | 'text';
  /** For numbers. Default: the range of 32 bits. */
  minimum?: number;
  maximum?: number;
  choices?: readonly string[];
  /** Other spellings that older versions used. */
  olderForms?: readonly string[];
  /** Regular expression for the whole text, and what it allows in words. */
  pattern?: string;
  allowed?: string;
  /** Value if the file does not set it; `null`: depends on the version. */
  default: string | null;
  description: string;
  /** First version of Minecraft that has it. Absent: all known versions. */
  since?: string;
  until?: string;
  /** `new-world`: only for worlds that are created afterwards. Absent: from the next start. */
  takesEffect?: 'new-world';
  /**
   * Its name among the settings that a running server takes over the management protocol, with the value as the only parameter and as the
   * result (minecraft.wiki, "Minecraft Server Management Protocol", `minecraft:serversettings/…/set`). Absent: none, or in another unit.
   */
  managementSetting?: string;
}

/** When a changed value is in effect: it is already, from the next start, or in worlds that are created afterwards. */
export type Effect = 'now' | 'restart' | 'new-world';

/** What a value may be. */
type ValueRule = Pick<KnownProperty, 'type' | 'minimum' | 'maximum' | 'choices' | 'olderForms' | 'pattern' | 'allowed'>;

const LOWEST = -2_147_483_648;
const HIGHEST = 2_147_483_647;

/** Returns what is wrong with a value, to follow the key in a sentence; `undefined` if it is valid. */
export function valueProblem(property: ValueRule, value: string): string | undefined {
  return fits(property, value) ? undefined : `must be ${allowedValues(property)}`;
}

function allowedValues({ type, minimum = LOWEST, maximum = HIGHEST, choices = [], allowed }: ValueRule): string {
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

function fits(property: ValueRule, value: string): boolean {
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
