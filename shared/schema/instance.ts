import * as z from 'zod';
import { INSTANCE_ID_PATTERN } from '../domain/instance/instance-id.ts';
import { ACTIVITIES, PHASES, STATUSES } from '../domain/instance/phase.ts';
import { PORT_SETTINGS } from '../domain/instance/port-use.ts';
import { CRASH_SETTINGS, DEGRADATIONS } from '../domain/instance/runtime.ts';
import { JAVA_VERSIONS } from '../domain/java/java-version.ts';
import { portLabel } from './kind/ports.ts';
import { LONGEST_VALUE, MOST_VARIABLES, variableName } from './kind/variables.ts';
import { portWarnings } from './ports.ts';
import { displayName } from './printable-line.ts';
import type { TunnelSettings } from './tunnel.ts';

const instanceId = z
  .string()
  .regex(INSTANCE_ID_PATTERN, 'must be 1 to 32 lower-case letters, digits and dashes, and not start with a dash');
const port = z.int().min(1).max(65_535);
/** As useradd(8) allows. */
const systemUser = z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/, 'must be the name of a user of the machine');

const crash = z
  .object({
    at: z.iso.datetime(),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    reason: z.string(),
    restarts: z.int(),
    setting: z.enum(CRASH_SETTINGS).optional().describe('The setting of the instance that the reason asks to change'),
    failedStart: z
      .object({
        code: z.string().describe('As in error responses'),
        portChange: z
          .object({
            setting: z
              .enum(PORT_SETTINGS)
              .describe('Where the port is set: `port` or `ports` of the instance, or `server.properties`'),
            key: z.string().describe('`port`, or the name in there'),
            port: z.int().describe('A number that no server is set to use and no program listens on'),
          })
          .optional()
          .meta({ id: 'PortChange', description: 'Of `port_in_use`: a change that lets it start' }),
      })
      .optional()
      .meta({
        id: 'FailedStart',
        description: 'Set if this was no crash: the start failed before there was a process. `reason` says why',
      }),
  })
  .meta({ id: 'Crash' });

const pendingChange = z
  .object({
    setting: z
      .string()
      .describe(
        'Such as `port`, `memoryMb`, `version`, `variables.MAP` and, of server.properties, `properties.view-distance`',
      ),
    running: z.string().optional().describe('Value as text, empty if there is none; absent if it is secret or long'),
    configured: z.string().optional().describe('Likewise, from the next start'),
  })
  .meta({ id: 'PendingChange' });

export const instance = z
  .object({
    id: instanceId,
    name: z.string(),
    software: z.string(),
    version: z.string(),
    javaVersion: z.string().optional(),
    port: z.int(),
    status: z.enum(STATUSES),
    playersOnline: z.int().optional(),
    maxPlayers: z.int().optional(),
    memoryMb: z.int().optional(),
    phase: z.enum(PHASES).optional(),
    activity: z.enum(ACTIVITIES).optional(),
    degraded: z
      .enum(DEGRADATIONS)
      .optional()
      .describe(
        'Limits of how Gamekeeper manages it at the moment: `taken-over` (until its next start the console is its own log file, and commands go over RCON), `leftovers` (it has ended, but processes that it may have started still run), `unresponsive` (its supervisor does not answer; values are the last known), `incompatible` (its supervisor has another version)',
      ),
    leftovers: z
      .array(
        z
          .object({ pid: z.int(), command: z.string().describe('Name of its program, without arguments') })
          .meta({ id: 'LeftoverProcess' }),
      )
      .optional()
      .describe('Processes that may be its own and still run although it has ended; at most 50'),
    cpuPercent: z.number().optional().describe('Of the whole process tree; 100 is one core'),
    memoryUsedMb: z.int().optional(),
    tickTimeMs: z
      .number()
      .optional()
      .describe('Mean duration of a tick, as the server reports over RCON. From 50 on the server lags'),
    tps: z.number().optional().describe('Ticks per second; 20 if the server keeps up'),
    uptimeSeconds: z.int().optional(),
    publicAddress: z.string().optional().describe('Public address for players. Present while the tunnel works'),
    crash: crash.optional(),
    warnings: portWarnings,
    pendingRestart: z
      .array(pendingChange)
      .optional()
      .describe('Changes since the start that the running server only gets at its next start; at most 100'),
    restartWhenEmpty: z.boolean().optional().describe('true: it restarts once, when nobody is online'),
  })
  .meta({ id: 'Instance' });
export type Instance = z.infer<typeof instance>;

export const crashPolicy = z
  .strictObject({
    restart: z.enum(['on-failure', 'always', 'never']).default('on-failure'),
    maxRestarts: z.int().min(0).max(100).default(3),
    windowSeconds: z.int().min(1).max(86_400).default(600),
  })
  .meta({ id: 'CrashPolicy' });
export type CrashPolicy = z.infer<typeof crashPolicy>;

/** A line that is typed into a console: a line end would make it two, and control characters can do anything. */
const typedLine = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must be one line without control characters');

/** Ctrl+C can also be written as JSON writes it. */
const stopCommand = z.union([typedLine, z.literal('\u0003')]);

export const saveCommands = z
  .strictObject({
    off: typedLine.optional(),
    flush: typedLine.optional(),
    on: typedLine.optional(),
    savedPattern: z.string().min(1).max(500).optional(),
  })
  .meta({ id: 'SaveCommands' });

const rconSettings = z.strictObject({ port, password: z.string().min(1).max(256) }).meta({ id: 'RconSettings' });
const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(32_768));
const ports = z.record(portLabel, port);
/** Of the kind's variables. The kind says which values are allowed. */
export const variableValues = z
  .record(variableName, z.union([z.string().max(LONGEST_VALUE), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= MOST_VARIABLES, `must have at most ${MOST_VARIABLES} members`);
export type VariableValues = z.infer<typeof variableValues>;

export const launch = z
  .strictObject({
    command: z
      .array(z.string())
      .min(1)
      .max(256)
      .refine(([program]) => program !== '', 'must begin with a program'),
  })
  .meta({ id: 'LaunchCommand' });

const javaVersion = z.enum(JAVA_VERSIONS);
const memoryMb = z.int().min(128).max(1_048_576);
const stopTimeoutSeconds = z.int().min(1).max(3600);
const sleepWhenEmptyMinutes = z.int().min(1).max(10_080);
const hangSeconds = z.union([z.literal(0), z.int().min(30).max(86_400)]);
const maxPlayers = z.int().min(1).max(100_000);

const transport = z.enum(['tcp', 'udp']);
const readyPattern = z.string().min(1).max(500);
const readyAfterSeconds = z.int().min(1).max(3_600);

/** The daemon fills in defaults that depend on the host. */
export const createInstance = z
  .strictObject({
    name: displayName,
    software: z.string().min(1),
    id: instanceId.optional(),
    version: z.string().min(1).max(64).optional(),
    port: port.optional(),
    ports: ports.optional().describe('Further ports of the kind, by name'),
    variables: variableValues.optional().describe('Values for the variables of the kind'),
    javaVersion: javaVersion.optional(),
    memoryMb: memoryMb.default(2048),
    maxPlayers: maxPlayers.optional(),
    acceptEula: z.boolean().default(false),
    autoStart: z.boolean().default(false),
    autoResume: z
      .boolean()
      .optional()
      .describe('Start it with Gamekeeper if it was running when Gamekeeper or the machine went down'),
    crashPolicy: crashPolicy.prefault({}),
    stopTimeoutSeconds: stopTimeoutSeconds
      .optional()
      .describe(
        'SIGTERM follows after this time, and SIGKILL after the same time again, at least 10 seconds. Default: that of the kind, usually 60',
      ),
    sleepWhenEmptyMinutes: sleepWhenEmptyMinutes
      .optional()
      .describe('Stop it after this time without players, and start it when somebody joins'),
    hangSeconds: hangSeconds
      .optional()
      .describe('Treat it as crashed when it has not responded for this time. Default 180; 0: never'),
    directory: z.string().min(1).max(4096).optional(),
    rcon: rconSettings.optional(),
    env: environment.optional(),
    launch: launch.optional(),
    runAs: systemUser.optional().describe('User of the machine that the server runs as. Default: that of Gamekeeper'),
    transport: transport.optional().describe('Of the port for players, for software "custom". Default: tcp'),
    readyPattern: readyPattern.optional().describe('Line of the console that shows that players can join'),
    readyAfterSeconds: readyAfterSeconds
      .optional()
      .describe('Instead of a pattern: ready after this time. Without either: once it listens on its port'),
    stopCommand: stopCommand.optional().describe('What is typed into the console, or `^C` for Ctrl+C'),
    saveCommands: saveCommands.optional(),
  })
  .meta({ id: 'CreateInstance' });
export type CreateInstance = z.infer<typeof createInstance>;

/** Only a local administrator may set these: they decide what runs, where and with which environment. */
export const LOCAL_ADMIN_FIELDS = ['launch', 'directory', 'env', 'runAs'] as const;

/** The complete configuration of an instance. */
export interface InstanceConfig {
  id: string;
  name: string;
  software: string;
  version: string;
  port: number;
  /** Of the kind's further ports that have a number of their own, by name. */
  ports?: Record<string, number>;
  /** Values of the kind's variables that are not the defaults. */
  variables?: Record<string, string>;
  javaVersion?: (typeof JAVA_VERSIONS)[number];
  memoryMb: number;
  maxPlayers?: number;
  eulaAccepted: boolean;
  autoStart: boolean;
  /** Start with Gamekeeper if it was running when Gamekeeper or the machine went down. */
  autoResume?: boolean;
  crashPolicy: CrashPolicy;
  stopTimeoutSeconds: number;
  sleepWhenEmptyMinutes?: number;
  /** Default 180; 0: never. */
  hangSeconds?: number;
  /** Absolute path of the server's folder. */
  directory: string;
  /** True for a folder of Gamekeeper's (`instances/<id>`), false for a folder that is used in place. */
  managed: boolean;
  /** `chosen`: the port was not requested, so a start may choose another if it is taken. */
  rcon?: { port: number; password: string; chosen?: true };
  env: Record<string, string>;
  launch?: { command: string[] };
  /** Name of the user that the server runs as. Absent: that of Gamekeeper. */
  runAs?: string;
  /** Overrides of the software definition. */
  transport?: 'tcp' | 'udp';
  readyPattern?: string;
  readyAfterSeconds?: number;
  stopCommand?: string;
  saveCommands?: z.infer<typeof saveCommands>;
  /** Absent: none. */
  tunnel?: TunnelSettings;
  createdAt: string;
}

export const updateInstance = createInstance
  .omit({ id: true, directory: true, variables: true })
  .extend({
    software: z
      .string()
      .min(1)
      .describe(
        'Of a stopped instance: another kind of the same `family`. The version is kept if the new kind has it, else name one',
      ),
    memoryMb: memoryMb.nullable().describe('null: 2048'),
    acceptEula: z.boolean(),
    autoStart: z.boolean().nullable().describe('null: false'),
    autoResume: z.boolean().nullable().describe('null: false'),
    crashPolicy: crashPolicy.nullable().describe('null: the default'),
    stopTimeoutSeconds: stopTimeoutSeconds.nullable().describe('null: that of the software'),
    javaVersion: javaVersion.nullable().describe('null: the one that the version needs'),
    sleepWhenEmptyMinutes: sleepWhenEmptyMinutes.nullable().describe('null: never sleep'),
    env: environment.nullable().describe('null: none'),
    transport: transport.nullable().describe('null: that of the software'),
    readyPattern: readyPattern.nullable().describe('null: that of the software'),
    readyAfterSeconds: readyAfterSeconds.nullable().describe('null: that of the software'),
    stopCommand: stopCommand.nullable().describe('null: that of the software'),
    saveCommands: saveCommands.nullable().describe('null: those of the software'),
    hangSeconds: hangSeconds.nullable().describe('null: 180'),
    maxPlayers: maxPlayers.nullable().describe('null: that of the game'),
    runAs: systemUser.nullable().describe('null: the user of Gamekeeper'),
  })
  .partial()
  .meta({ id: 'UpdateInstance' });
export type UpdateInstance = z.infer<typeof updateInstance>;
