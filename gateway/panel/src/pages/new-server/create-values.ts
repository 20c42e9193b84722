import type { Schemas } from '../../api/transport/client.ts';
import { toCommand } from '../../ui/form/program/command-text.ts';
import { toEnvironment } from '../../ui/form/program/environment-text.ts';
import { type ProgramValues, toReadiness } from '../../ui/form/program/program-values.ts';

/** What both editions of Minecraft do without a value of their own. */
const USUAL_WORLD = { 'level-seed': '', gamemode: 'survival', difficulty: 'easy' } as const;

export interface CreateValues extends ProgramValues {
  software: string;
  name: string;
  version: string;
  memoryGb: number;
  port: number | '';
  /** For software that has a command: the folder of an existing server. */
  directory: string;
  /** Values that the user has entered, by name. */
  variables: Record<string, string>;
  /** Properties of a new Minecraft world. */
  world: Record<keyof typeof USUAL_WORLD, string>;
  acceptEula: boolean;
  startNow: boolean;
}

export const DEFAULTS: CreateValues = {
  software: '',
  name: '',
  version: '',
  memoryGb: 2,
  port: '',
  command: '',
  stopCommand: '',
  udp: false,
  env: '',
  ready: 'usual',
  readyPattern: '',
  readySeconds: '',
  directory: '',
  variables: {},
  world: USUAL_WORLD,
  acceptEula: false,
  startNow: true,
};

export const GIGABYTE_MB = 1_024;

/** `hasCommand`: servers of this kind have a command of their own. */
export function toCreateRequest(values: CreateValues, hasCommand: boolean): Schemas['CreateInstance'] {
  const { software, name, version, memoryGb, port, acceptEula, variables } = values;
  return {
    software,
    name: name.trim(),
    memoryMb: Math.round(memoryGb * GIGABYTE_MB),
    ...(version.trim() !== '' && { version: version.trim() }),
    ...(port !== '' && { port }),
    ...(acceptEula && { acceptEula }),
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(hasCommand && programOf(values)),
  } as Schemas['CreateInstance'];
}

/** Returns the properties that differ from what the game does by itself. */
export function toProperties(world: CreateValues['world']): Record<string, string> {
  const trimmed = Object.entries(world).map(([property, value]) => [property, value.trim()] as const);
  return Object.fromEntries(
    trimmed.filter(([property, value]) => value !== USUAL_WORLD[property as keyof typeof USUAL_WORLD]),
  );
}

/** Returns the name, or, if a server has it, the name with the first number that is free: "Survival 2". */
export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} ${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}

function programOf(values: CreateValues): Partial<Schemas['CreateInstance']> {
  const { command, stopCommand, udp, directory } = values;
  const env = toEnvironment(values.env) ?? {};
  const { readyPattern, readyAfterSeconds } = toReadiness(values);
  return {
    launch: { command: toCommand(command) ?? [] },
    ...(stopCommand.trim() !== '' && { stopCommand: stopCommand.trim() }),
    ...(udp && { transport: 'udp' }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(readyPattern !== null && { readyPattern }),
    ...(readyAfterSeconds !== null && { readyAfterSeconds }),
    ...(directory.trim() !== '' && { directory: directory.trim() }),
  };
}
