import * as z from 'zod';
import { PLAYER_ACTIONS } from '../domain/players/player-action.ts';
import { PLAYER_LISTS } from '../domain/players/player-list.ts';
import type { SoftwareDefinition } from '../domain/software/definition.ts';
import { displayName } from './printable-line.ts';

const pattern = z.string().min(1).max(500).refine(isRegularExpression, 'must be a regular expression');
const command = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\r\n]*$/, 'must be one line');
const fileInFolder = z
  .string()
  .regex(
    /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\:\0]+$/,
    'must be a path in the folder of the server, without ".." and with "/"',
  );
const majorVersion = z.int().min(8).max(99);
const limit = z.string().regex(/^\d+(?:\.\d+)+$/, 'must be a version such as "1.13"');

const saveCommands = z.strictObject({
  off: command.optional(),
  flush: command.optional(),
  on: command.optional(),
  heldPattern: pattern.optional(),
  savedPattern: pattern.optional(),
  flushAgainMs: z.int().min(100).max(60_000).optional(),
  notSavedPattern: pattern.optional(),
});

const source = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('mojang-manifest') }),
  z.strictObject({
    type: z.literal('paper-fill'),
    project: z.string().regex(/^[a-z0-9-]+$/),
    stableBy: z.literal('builds').optional(),
  }),
  z.strictObject({ type: z.literal('purpur'), project: z.string().regex(/^[a-z0-9-]+$/) }),
  z.strictObject({ type: z.literal('fabric-meta') }),
  z.strictObject({ type: z.literal('quilt-meta') }),
  z.strictObject({ type: z.literal('forge-promotions') }),
  z.strictObject({ type: z.literal('neoforge-maven') }),
  z.strictObject({ type: z.literal('bedrock-links') }),
  z.strictObject({
    type: z.literal('fixed'),
    versions: z
      .array(
        z.strictObject({
          version: z.string().min(1).max(64),
          stable: z.boolean().optional(),
          url: z.url({ protocol: /^https?$/ }),
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .optional(),
          java: majorVersion.optional(),
        }),
      )
      .min(1),
  }),
]);

const install = z.strictObject({
  source,
  as: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('file'), name: fileInFolder }),
    z.strictObject({ type: z.literal('installer'), args: z.array(z.string()) }),
    z.strictObject({ type: z.literal('archive'), keep: z.array(z.string()), executables: z.array(fileInFolder) }),
  ]),
});

const java = z.strictObject({
  older: z.array(z.strictObject({ below: limit, major: majorVersion })).optional(),
  needed: z.union([z.literal('minecraft'), z.literal('vendor'), majorVersion]),
});

const launch = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('program') }),
  z.strictObject({ type: z.literal('embedded'), entry: z.string(), args: z.array(z.string()) }),
  z.strictObject({
    type: z.literal('java'),
    start: z
      .array(z.union([z.strictObject({ jar: fileInFolder }), z.strictObject({ argumentsFile: fileInFolder })]))
      .min(1),
    args: z.array(z.string()),
  }),
  z.strictObject({
    type: z.literal('installed'),
    program: z.record(z.string(), fileInFolder),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()),
  }),
]);

const mods = z.strictObject({
  folder: z.enum(['mods', 'plugins']),
  loaders: z.array(z.string().regex(/^[a-z0-9-]{1,32}$/)).min(1),
  forMinecraft: z.boolean(),
});

const tickQuestion = z.strictObject({
  command,
  pattern: pattern.regex(/\(\?<(?:ms|tps)>/, 'must have a group named "ms" or "tps"'),
});

/** A whole definition, with what the extended kind adds. */
const softwareDefinition = z
  .strictObject({
    kind: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and dashes'),
    title: displayName,
    edition: z.enum(['java', 'bedrock']),
    defaultVersion: z.string().min(1).max(64).nullable(),
    eula: z.boolean(),
    install: install.optional(),
    java: java.optional(),
    launch,
    gamePort: z.strictObject({ first: z.int().min(1).max(65_535), transport: z.enum(['tcp', 'udp']) }),
    rcon: z.boolean(),
    serverProperties: z.boolean(),
    settingsFile: fileInFolder.optional(),
    listPing: z.boolean(),
    readyPattern: pattern.nullable(),
    stopCommand: command,
    save: saveCommands,
    saveBeforeStop: command.nullable(),
    announceCommand: command.includes('{message}').nullable(),
    playerCommands: z.partialRecord(z.enum(PLAYER_ACTIONS), command),
    playerDonePatterns: z.partialRecord(z.enum(PLAYER_ACTIONS), pattern),
    playerNotFoundPattern: pattern.nullable(),
    commandFailedPattern: pattern.nullable(),
    playerLists: z.partialRecord(z.enum(PLAYER_LISTS), fileInFolder),
    tickTime: z.array(tickQuestion).max(8).optional(),
    mods: mods.optional(),
  })
  .refine(({ launch: { type }, java: rule }) => type !== 'java' || rule !== undefined, {
    path: ['java'],
    message: 'must be given for software that runs on Java',
  })
  .refine(({ defaultVersion, install: rule }) => defaultVersion !== null || rule !== undefined, {
    path: ['defaultVersion'],
    message: 'must be given without an installation source',
  });

/** Checks a definition; throws ZodError. */
export function parseSoftware(value: unknown): SoftwareDefinition {
  return softwareDefinition.parse(value) as SoftwareDefinition;
}

export function checkSoftware(value: unknown): { software: SoftwareDefinition } | { problem: string } {
  const { data, error } = softwareDefinition.safeParse(value);
  if (!error) return { software: data as SoftwareDefinition };
  const problems = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return { problem: problems.join('; ') };
}

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    // The engine's own message would not help.
    return false;
  }
}
