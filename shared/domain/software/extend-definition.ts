import type { SoftwareDefinition } from './definition.ts';

/** `null` for one of these removes the value of the extended kind. */
const OPTIONAL = ['install', 'java', 'mods', 'settingsFile', 'tickTime'] as const;
type Optional = (typeof OPTIONAL)[number];

/** A file: a whole definition, or the differences to the kind that it `extends`. */
export type SoftwareFile = { kind: string; extends?: string | undefined } & {
  [Key in keyof SoftwareDefinition]?: SoftwareDefinition[Key] | (Key extends Optional ? null : never) | undefined;
};

/** Returns the whole definition of a file; `undefined` if the kind that it extends is not known. */
export function extendDefinition(
  { extends: base, ...own }: SoftwareFile,
  known: readonly SoftwareDefinition[],
): object | undefined {
  const found = known.find(({ kind }) => kind === base);
  if (base !== undefined && !found) return undefined;
  const whole: Record<string, unknown> = { ...found, ...own };
  for (const key of OPTIONAL) if (whole[key] === null) delete whole[key];
  return whole;
}
