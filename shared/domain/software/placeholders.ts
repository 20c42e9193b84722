import type { SoftwareDefinition } from './definition.ts';
import { type Variable, writtenValue } from './variable.ts';

/** Values for placeholders, by name. */
export type Values = Readonly<Record<string, string>>;

/** What an instance's configuration adds. */
export interface FilledIn {
  id: string;
  name: string;
  directory: string;
  version: string;
  memoryMb: number;
  maxPlayers?: number;
  variables?: Values;
}

/** Placeholders that every kind has, besides its variables and `{port.name}` of its ports. */
export const BUILT_IN_PLACEHOLDERS = ['port', 'directory', 'name', 'id', 'version', 'memoryMb', 'maxPlayers'] as const;

const NUMBERS = new Set<string>(['memoryMb', 'maxPlayers']);
const PLACEHOLDER = /\{([A-Za-z]\w*(?:\.[A-Za-z][\w-]*)?)\}/g;

/** Fills in `{name}`. Unknown names stay as they are. Filled-in text is not searched again. */
export function fillPlaceholders(template: string, values: Values): string {
  return template.replace(PLACEHOLDER, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));
}

/** Returns the type of a text's value: that of its placeholder if it is nothing else. */
export function placeholderType(text: string, variables: readonly Variable[] = []): 'text' | 'number' | 'boolean' {
  const [name] = placeholdersIn(text);
  if (name === undefined || text !== `{${name}}`) return 'text';
  const variable = variables.find((one) => one.name === name);
  if (!variable)
    return name === 'port' || name === 'rcon.port' || name.startsWith('port.') || NUMBERS.has(name) ? 'number' : 'text';
  if (variable.type === 'boolean') return variable.rule?.written ? 'text' : 'boolean';
  return variable.type === 'number' ? 'number' : 'text';
}

/** Returns the names of the placeholders in a text. */
export function placeholdersIn(template: string): string[] {
  return Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name);
}

/** Where an instance listens at this start. */
export interface PlaceholderAddress {
  port: number;
  /** By name, without the game port. */
  ports: Readonly<Record<string, number>>;
  /** Its channel for commands, if it has one. */
  rcon?: { port: number; password: string } | undefined;
}

/** Returns the values for an instance. */
export function placeholderValues(
  { variables = [] }: Pick<SoftwareDefinition, 'variables'>,
  config: FilledIn,
  { port, ports, rcon }: PlaceholderAddress,
): Values {
  const { directory, name, id, version, memoryMb, maxPlayers } = config;
  return {
    ...{ port: String(port), directory, name, id, version, memoryMb: String(memoryMb) },
    maxPlayers: maxPlayers === undefined ? '' : String(maxPlayers),
    ...(rcon && { 'rcon.port': String(rcon.port), 'rcon.password': rcon.password }),
    ...Object.fromEntries(variables.map((one) => [one.name, writtenValue(one, currentValue(one, config))])),
    ...Object.fromEntries(Object.entries(ports).map(([key, number]) => [`port.${key}`, String(number)])),
  };
}

/** Returns the value of a variable: the instance's own unless nobody may set one, else the default. */
export function currentValue(
  { name, default: usual, editableBy }: Pick<Variable, 'name' | 'default' | 'editableBy'>,
  { variables }: Pick<FilledIn, 'variables'>,
): string {
  return editableBy === 'nobody' ? usual : (variables?.[name] ?? usual);
}
