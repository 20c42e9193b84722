import * as z from 'zod';
import { PLAYER_ACTIONS } from '../domain/players/player-action.ts';
import { PLAYER_LISTS } from '../domain/players/player-list.ts';
import { ADMIN_CHANNELS } from '../domain/software/admin-channel.ts';
import { PLAYER_QUERIES, type SoftwareDefinition } from '../domain/software/definition.ts';
import { OPTIONAL } from '../domain/software/extend-definition.ts';
import { configFiles } from './kind/config-files.ts';
import { installSteps } from './kind/install-steps.ts';
import { argument, command, environment, fileInFolder, pattern, portNumber, transport } from './kind/parts.ts';
import { placeholderProblem } from './kind/placeholder-problem.ts';
import { portLabel, ports } from './kind/ports.ts';
import { variables } from './kind/variables.ts';
import { displayName } from './printable-line.ts';

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

const vendorInstall = z.strictObject({
  source,
  as: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('file'), name: fileInFolder }),
    z.strictObject({ type: z.literal('installer'), args: z.array(z.string()) }),
    z.strictObject({ type: z.literal('archive'), keep: z.array(z.string()), executables: z.array(fileInFolder) }),
  ]),
});

const install = z.union([vendorInstall, z.strictObject({ steps: installSteps })]);

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
    args: z.array(argument),
    env: environment,
  }),
  z.strictObject({
    type: z.literal('system'),
    program: z
      .array(z.string().regex(/^[^/\\\0]{1,100}$/, 'must be the name of a program'))
      .min(1)
      .max(10),
    args: z.array(argument),
    env: environment,
    missing: z.string().min(1).max(200),
  }),
]);

const stop = z
  .strictObject({
    command: command.optional(),
    signal: z.enum(['INT', 'TERM']).optional(),
    graceSeconds: z.int().min(1).max(3_600).optional(),
  })
  .refine(({ command: line, signal }) => line === undefined || signal === undefined, {
    path: ['signal'],
    message: 'must not be given together with "command"',
  });

const mods = z.strictObject({
  folder: z.enum(['mods', 'plugins']),
  loaders: z.array(z.string().regex(/^[a-z0-9-]{1,32}$/)).min(1),
  forMinecraft: z.boolean(),
});

const tickQuestion = z.strictObject({
  command,
  pattern: pattern.regex(/\(\?<(?:ms|tps)>/, 'must have a group named "ms" or "tps"'),
});

const liveProperty = z.strictObject({
  commands: z.array(command.includes('{value}')).min(1).max(8),
  donePattern: pattern,
  written: z.strictObject({ true: command, false: command }).optional(),
});

const gamerules = z.strictObject({
  otherWorlds: z
    .array(
      z.string().regex(/^[a-z0-9_.-]{1,64}:[a-z0-9_./-]{1,64}$/, 'must be a dimension such as "minecraft:the_end"'),
    )
    .max(8),
});

const movement = pattern.includes('(?<name>', 'must have a group named "name"');
const players = z
  .strictObject({
    query: z.enum(PLAYER_QUERIES).optional(),
    port: portLabel.optional(),
    joined: movement.optional(),
    left: movement.optional(),
  })
  .refine(({ joined, left }) => (joined === undefined) === (left === undefined), {
    path: ['left'],
    message: 'must be given together with "joined"',
  })
  .refine(
    ({ query, joined }) => query !== undefined || joined !== undefined,
    'must have "query", or "joined" and "left"',
  );

const admin = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.enum(ADMIN_CHANNELS), replacesConsole: z.boolean().optional() }),
]);

/** A whole definition, with what the extended kind adds. */
const shape = z.strictObject({
  kind: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and dashes'),
  title: displayName,
  edition: z.enum(['java', 'bedrock']),
  defaultVersion: z.string().min(1).max(64).nullable(),
  eula: z.boolean(),
  install: install.optional(),
  java: java.optional(),
  launch,
  variables: variables.optional(),
  gamePort: z.strictObject({ first: portNumber, transport }),
  ports: ports.optional(),
  configFiles: configFiles.optional(),
  rcon: z.boolean(),
  admin: admin.optional(),
  serverProperties: z.boolean(),
  settingsFile: fileInFolder.optional(),
  listPing: z.boolean(),
  players: players.optional(),
  logPrefix: pattern.optional(),
  readyPattern: pattern.nullable(),
  readyAfterSeconds: z.int().min(1).max(3_600).optional(),
  stopCommand: command,
  stop: stop.optional(),
  survivesHangup: z.boolean().optional(),
  save: saveCommands,
  saveBeforeStop: command.nullable(),
  announceCommand: command.includes('{message}').nullable(),
  playerCommands: z.partialRecord(z.enum(PLAYER_ACTIONS), command),
  playerDonePatterns: z.partialRecord(z.enum(PLAYER_ACTIONS), pattern),
  playerNotFoundPattern: pattern.nullable(),
  commandFailedPattern: pattern.nullable(),
  playerLists: z.partialRecord(z.enum(PLAYER_LISTS), fileInFolder),
  liveProperties: z.record(z.string().max(100), liveProperty).optional(),
  gamerules: gamerules.optional(),
  tickTime: z.array(tickQuestion).max(8).optional(),
  mods: mods.optional(),
  untested: z.boolean().optional(),
});

const softwareDefinition = shape
  .superRefine((definition, context) => {
    const problem = placeholderProblem(definition as SoftwareDefinition);
    if (problem) context.addIssue({ code: 'custom', ...problem });
  })
  .refine(({ launch: { type }, java: rule }) => type !== 'java' || rule !== undefined, {
    path: ['java'],
    message: 'must be given for software that runs on Java',
  })
  .refine(({ defaultVersion, install: rule }) => defaultVersion !== null || (rule !== undefined && 'source' in rule), {
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
  return { problem: problemsIn(error.issues).join('; ') };
}

/** Of a union, the problems of the alternative that fits best: "Invalid input" would not help. */
function problemsIn(issues: readonly z.core.$ZodIssue[], above: PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const [closest = []] = [...issue.errors].sort((one, other) => one.length - other.length);
      return problemsIn(closest, path);
    }
    return [path.length > 0 ? `${path.join('.')}: ${issue.message}` : issue.message];
  });
}

/** Returns the JSON schema of a file, for editors: all but `kind` and `title` may come from the kind that it extends. */
export function softwareFileSchema(): object {
  const { kind, title, ...rest } = shape.shape;
  const nullable = new Set<string>(OPTIONAL);
  const others = Object.fromEntries(
    Object.entries(rest).map(([key, part]) => [key, nullable.has(key) ? part.nullable().optional() : part.optional()]),
  );
  return z.toJSONSchema(
    z.strictObject({ $schema: z.string().optional(), kind, title, extends: kind.optional(), ...others }),
    {
      io: 'input',
    },
  );
}
