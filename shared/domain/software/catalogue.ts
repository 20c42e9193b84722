import { BUILT_IN_FILES } from './built-in-files.ts';
import type { SoftwareDefinition } from './definition.ts';
import { extendDefinition, type SoftwareFile } from './extend-definition.ts';

/** The built-in software, in the order in which it is offered. A test validates the files. */
export const SOFTWARE: readonly SoftwareDefinition[] = definitions();

let custom: readonly SoftwareDefinition[] = [];

/** Replaces the custom software known to this process. Names of built-in software are not allowed. */
export function setCustomSoftware(definitions: readonly SoftwareDefinition[]): void {
  custom = definitions;
}

export function allSoftware(): readonly SoftwareDefinition[] {
  return [...SOFTWARE, ...custom];
}

export function softwareOf(kind: string): SoftwareDefinition | undefined {
  return allSoftware().find((definition) => definition.kind === kind);
}

function definitions(): SoftwareDefinition[] {
  const known: SoftwareDefinition[] = [];
  for (const file of BUILT_IN_FILES) known.push(extendDefinition(file as SoftwareFile, known) as SoftwareDefinition);
  return known;
}
