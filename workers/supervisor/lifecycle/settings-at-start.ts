import { createHash } from 'node:crypto';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { currentValue } from '../../../shared/domain/software/placeholders.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** A value as text, '' if there is none. Only its digest if it is secret or long: records contain no secrets. */
export type NotedValue = string | { digest: string };

/** By their names in the API, such as `variables.MAP`. */
export type NotedSettings = Readonly<Record<string, NotedValue>>;

const LONGEST_TEXT = 100;
/** 96 bits, to tell values apart. */
const DIGEST_CHARACTERS = 16;

/** Returns the settings that a game process only gets at its start. */
export function settingsAtStart(
  config: InstanceConfig,
  { variables = [], ports = [] }: Pick<SoftwareDefinition, 'variables' | 'ports'>,
): NotedSettings {
  const { port, memoryMb, version, javaVersion, maxPlayers, rcon, transport, launch, env, runAs } = config;
  const plain = { port, memoryMb, version, javaVersion, maxPlayers, 'rcon.port': rcon?.port, transport };
  const hidden = { launch: launch?.command, env: Object.entries(env).toSorted(), runAs };
  const ownPorts = ports.filter(({ offset }) => offset === undefined);
  return {
    ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, noteValue(String(value ?? ''))])),
    ...Object.fromEntries(Object.entries(hidden).map(([name, value]) => [name, digestOf(JSON.stringify(value ?? ''))])),
    ...Object.fromEntries(ownPorts.map(({ name }) => [`ports.${name}`, String(config.ports?.[name] ?? '')])),
    ...Object.fromEntries(
      variables.map((variable) => [
        `variables.${variable.name}`,
        noteValue(currentValue(variable, config), { isSecret: variable.secret }),
      ]),
    ),
  };
}

export function noteValue(value: string, { isSecret = false }: { isSecret?: boolean | undefined } = {}): NotedValue {
  return isSecret || value.length > LONGEST_TEXT ? digestOf(value) : value;
}

export function isSameValue(one: NotedValue, other: NotedValue): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.digest === other.digest;
}

function digestOf(text: string): NotedValue {
  return { digest: createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARACTERS) };
}
