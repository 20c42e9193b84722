import type { Schemas } from '../../../api/transport/client.ts';
import { toCommand, toCommandText } from '../../../ui/form/program/command-text.ts';
import { toEnvironment, toEnvironmentText } from '../../../ui/form/program/environment-text.ts';
import { type ProgramValues, toReadiness } from '../../../ui/form/program/program-values.ts';

export type Configuration = Schemas['InstanceConfiguration'];

/** Fields of the settings form. A number is '' while its input is empty. */
export interface SettingsValues extends ProgramValues {
  name: string;
  version: string;
  memoryGb: number | '';
  port: number | '';
  maxPlayers: number | '';
  javaVersion: string;
  acceptEula: boolean;
  autoStart: boolean;
  autoResume: boolean;
  stopTimeoutSeconds: number | '';
  sleepWhenEmptyMinutes: number | '';
  hangSeconds: number | '';
  restart: Configuration['crashPolicy']['restart'];
  maxRestarts: number | '';
  windowMinutes: number | '';
  /** Empty: the user of Gamekeeper. */
  runAs: string;
}

/** Fields that need a value. For the others, empty has a meaning of its own. */
const REQUIRED = [
  'name',
  'version',
  'memoryGb',
  'port',
  'maxPlayers',
  'stopTimeoutSeconds',
  'hangSeconds',
  'maxRestarts',
  'windowMinutes',
  'command',
] as const satisfies readonly (keyof SettingsValues)[];

const GIGABYTE_MB = 1_024;
const MINUTE_S = 60;
/** The daemon's default. */
const HANG_SECONDS = 180;

/** `kind`: absent while it loads. */
export function toValues(
  configuration: Configuration,
  kind: Pick<Schemas['Software'], 'transport'> | undefined,
): SettingsValues {
  const { crashPolicy } = configuration;
  return {
    name: configuration.name,
    version: configuration.version,
    memoryGb: configuration.memoryMb / GIGABYTE_MB,
    port: configuration.port,
    maxPlayers: configuration.maxPlayers ?? '',
    javaVersion: configuration.javaVersion ?? '',
    acceptEula: configuration.acceptEula,
    autoStart: configuration.autoStart,
    autoResume: configuration.autoResume ?? false,
    stopTimeoutSeconds: configuration.stopTimeoutSeconds,
    sleepWhenEmptyMinutes: configuration.sleepWhenEmptyMinutes ?? '',
    hangSeconds: configuration.hangSeconds ?? HANG_SECONDS,
    restart: crashPolicy.restart,
    maxRestarts: crashPolicy.maxRestarts,
    windowMinutes: crashPolicy.windowSeconds / MINUTE_S,
    runAs: configuration.runAs ?? '',
    command: toCommandText(configuration.launch?.command ?? []),
    stopCommand: configuration.stopCommand ?? '',
    udp: (configuration.transport ?? kind?.transport) === 'udp',
    env: toEnvironmentText(configuration.env ?? {}),
    ready: readyOf(configuration),
    readyPattern: configuration.readyPattern ?? '',
    readySeconds: configuration.readyAfterSeconds ?? '',
  };
}

function readyOf({ readyPattern, readyAfterSeconds }: Configuration): SettingsValues['ready'] {
  if (readyPattern !== undefined) return 'pattern';
  return readyAfterSeconds === undefined ? 'usual' : 'seconds';
}

export function emptied(values: SettingsValues, before: SettingsValues): readonly (keyof SettingsValues)[] {
  const isEmpty = (value: string | number) => String(value).trim() === '';
  const readiness = ({ pattern: ['readyPattern'], seconds: ['readySeconds'], usual: [] } as const)[values.ready];
  return [
    ...REQUIRED.filter((key) => isEmpty(values[key]) && !isEmpty(before[key])),
    ...readiness.filter((key) => isEmpty(values[key])),
  ];
}

/** Returns the fields that differ from `before`, so that users who change different fields do not overwrite each other. */
export function toChange(values: SettingsValues, before: SettingsValues): Schemas['UpdateInstance'] {
  const changed = (key: keyof SettingsValues) => values[key] !== before[key];
  const change: Record<string, unknown> = {};
  for (const key of ['name', 'version', 'port', 'maxPlayers', 'stopTimeoutSeconds', 'hangSeconds'] as const)
    if (changed(key)) change[key] = values[key];
  for (const key of ['acceptEula', 'autoStart', 'autoResume'] as const)
    if (values[key] !== before[key]) change[key] = values[key];
  if (values.sleepWhenEmptyMinutes !== before.sleepWhenEmptyMinutes)
    change.sleepWhenEmptyMinutes = values.sleepWhenEmptyMinutes === '' ? null : values.sleepWhenEmptyMinutes;
  if (changed('command')) change.launch = { command: toCommand(values.command) };
  if (changed('stopCommand')) change.stopCommand = values.stopCommand.trim() || null;
  if (changed('env')) change.env = toEnvironment(values.env);
  if (changed('ready') || changed('readyPattern') || changed('readySeconds'))
    Object.assign(change, toReadiness(values));
  if (changed('runAs')) change.runAs = values.runAs.trim() || null;
  if (changed('udp')) change.transport = values.udp ? 'udp' : 'tcp';
  // Empty: chosen by the server's version.
  if (values.javaVersion !== before.javaVersion) change.javaVersion = values.javaVersion || null;
  if (changed('memoryGb')) change.memoryMb = Math.round(Number(values.memoryGb) * GIGABYTE_MB);
  if (changed('restart') || changed('maxRestarts') || changed('windowMinutes'))
    change.crashPolicy = {
      restart: values.restart,
      maxRestarts: Number(values.maxRestarts),
      windowSeconds: Math.round(Number(values.windowMinutes) * MINUTE_S),
    };
  return change as Schemas['UpdateInstance'];
}
