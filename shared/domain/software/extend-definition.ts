import type { SoftwareDefinition } from './definition.ts';

/** `null` for one of these removes the value of the extended kind. */
export const OPTIONAL = [
  ...(['gamerules', 'install', 'java', 'liveProperties', 'mods', 'settingsFile', 'tickTime'] as const),
  ...([
    'variables',
    'ports',
    'configFiles',
    'stop',
    'survivesHangup',
    'players',
    'admin',
    'readyAfterSeconds',
    'logPrefix',
    'untested',
  ] as const),
];
type Optional = (typeof OPTIONAL)[number];

/** What a file that extends no kind need not mention. */
const USUAL = {
  edition: 'java',
  eula: false,
  rcon: false,
  serverProperties: false,
  listPing: false,
  readyPattern: null,
  stopCommand: 'stop',
  save: {},
  saveBeforeStop: null,
  announceCommand: null,
  playerCommands: {},
  playerDonePatterns: {},
  playerNotFoundPattern: null,
  commandFailedPattern: null,
  playerLists: {},
} satisfies Partial<SoftwareDefinition>;

/** A file: a whole definition, or the differences to the kind that it `extends`. `$schema` is for editors. */
export type SoftwareFile = { kind: string; extends?: string | undefined; $schema?: string } & {
  [Key in keyof SoftwareDefinition]?: SoftwareDefinition[Key] | (Key extends Optional ? null : never) | undefined;
};

/**
 * Returns the whole definition of a file; `undefined` if the kind that it extends is not known. Of the live properties, the file names those
 * that differ.
 */
export function extendDefinition(
  { extends: base, $schema: _, ...own }: SoftwareFile,
  known: readonly SoftwareDefinition[],
): object | undefined {
  const found = known.find(({ kind }) => kind === base);
  if (base !== undefined && !found) return undefined;
  const live = own.liveProperties && { liveProperties: { ...found?.liveProperties, ...own.liveProperties } };
  const whole: Record<string, unknown> = { ...(found ?? USUAL), ...own, ...live };
  for (const key of OPTIONAL) if (whole[key] === null) delete whole[key];
  return whole;
}
