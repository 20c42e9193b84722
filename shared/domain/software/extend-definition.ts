import type { SoftwareDefinition } from './definition.ts';

/** What a kind can be without: `null` in a file takes away what the kind that it extends has. */
const OPTIONAL = ['install', 'java', 'mods', 'settingsFile', 'tickTime'] as const;
type Optional = (typeof OPTIONAL)[number];

/** A kind's file: whole, or only what is different from the kind that it `extends`. */
export type SoftwareFile = { kind: string; extends?: string | undefined } & {
  [Key in keyof SoftwareDefinition]?: SoftwareDefinition[Key] | (Key extends Optional ? null : never) | undefined;
};

/** Makes a definition of a file: what it does not say is as in the kind that it extends. `undefined` when that kind is not known. */
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
