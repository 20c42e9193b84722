import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { hasErrorCode } from '../../errors/error-code.ts';
import { type Settings, settings } from '../../schema/settings.ts';

/** The settings are invalid. The message names the key, the value and what is allowed. Exit status 2. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Reads `settings.json` and applies the environment: a variable overrides the file, which overrides the default. Throws SettingsError for
 * anything that is not allowed.
 */
export async function loadSettings(file: string, env: NodeJS.ProcessEnv): Promise<Settings> {
  return withEnvironment((await readSettings(file)).stored, env);
}

export interface SettingsFile {
  /** The content; empty if there is no file. */
  text: string;
  /** The document without defaults. */
  document: Record<string, unknown>;
  /** The document with defaults. */
  stored: Settings;
}

/** Reads `settings.json` without the environment. Throws SettingsError for anything that is not allowed. */
export async function readSettings(file: string): Promise<SettingsFile> {
  const text = await readIfPresent(file);
  if (text === undefined) return { text: '', document: {}, stored: settings.parse({}) };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  try {
    // The schema accepts only objects.
    return { text, stored: parseSettings(document), document: document as Record<string, unknown> };
  } catch (error) {
    throw new SettingsError(`${file} has mistakes:\n${(error as SettingsError).message}`, { cause: error });
  }
}

/** Checks a document and adds the defaults. Throws SettingsError with one line for each mistake. */
export function parseSettings(document: unknown): Settings {
  const result = settings.safeParse(document, { reportInput: true });
  if (result.success) return result.data;
  throw new SettingsError(result.error.issues.map((issue) => `  - ${explain(issue, document)}`).join('\n'));
}

function explain(issue: z.core.$ZodIssue, document: unknown): string {
  const at = issue.path.length > 0 ? issue.path.map(String).join('.') : 'the file';
  const schema = schemaAt(issue.path, document);
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const where = issue.path.length > 0 ? ` in ${at}` : '';
    return `${issue.keys.map((key) => `"${key}"`).join(', ')}${where}: unknown key. Allowed: ${known.join(', ')}`;
  }
  return `${at}: ${issue.message}${isShown(issue.input, schema) ? ` (is: ${JSON.stringify(issue.input)})` : ''}`;
}

/** A value that is or may contain a secret is not shown, because the message may end up in a journal. */
function isShown(input: unknown, schema: z.core.$ZodType | undefined): boolean {
  const holdsOthers = typeof input === 'object' && input !== null;
  const isAddressWithPassword = typeof input === 'string' && /:\/\/[^/]*@/.test(input);
  if (input === undefined || holdsOthers || isAddressWithPassword) return false;
  return schema instanceof z.ZodType && schema.meta()?.secret !== true;
}

/** Returns the schema at a path of the document; `undefined` for unknown keys. */
function schemaAt(path: readonly PropertyKey[], document: unknown): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = settings;
  let value = document;
  for (const key of path) {
    const holder = resolve(schema, value);
    if (holder instanceof z.ZodObject) schema = holder.shape[String(key)];
    else if (holder instanceof z.ZodArray) schema = holder.element;
    else if (holder instanceof z.ZodRecord) schema = holder.valueType;
    else return undefined;
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  }
  return resolve(schema, value);
}

/** Unwraps optional schemas, and picks the variant of a union that the value names. */
function resolve(schema: z.core.$ZodType | undefined, value: unknown): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return resolve(schema.unwrap(), value);
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  const { discriminator } = schema.def;
  const kind = (value as Record<string, unknown> | null)?.[discriminator];
  return schema.options.find(
    (one) => one instanceof z.ZodObject && (one.shape[discriminator] as z.ZodLiteral | undefined)?.value === kind,
  );
}

/** Variables that override a setting. */
const OVERRIDES = {
  GAMEKEEPER_HOST: 'remoteControl.host',
  GAMEKEEPER_PORT: 'remoteControl.panelPort',
  GAMEKEEPER_REMOTE_PORT: 'remoteControl.port',
  GAMEKEEPER_LOG_LEVEL: 'log.level',
} as const;

/** Returns which settings the environment overrides. */
export function overriddenBy(env: NodeJS.ProcessEnv): { key: string; variable: string }[] {
  return Object.entries(OVERRIDES).flatMap(([variable, key]) => (env[variable] ? [{ key, variable }] : []));
}

/** Returns the settings with the environment applied. Throws SettingsError for an invalid variable. */
export function withEnvironment(base: Settings, env: NodeJS.ProcessEnv): Settings {
  const remoteControl = { ...base.remoteControl };
  if (env.GAMEKEEPER_HOST) remoteControl.host = env.GAMEKEEPER_HOST;
  if (env.GAMEKEEPER_PORT) remoteControl.panelPort = portFrom('GAMEKEEPER_PORT', env.GAMEKEEPER_PORT);
  if (env.GAMEKEEPER_REMOTE_PORT) remoteControl.port = portFrom('GAMEKEEPER_REMOTE_PORT', env.GAMEKEEPER_REMOTE_PORT);
  const log = { ...base.log };
  if (env.GAMEKEEPER_LOG_LEVEL) {
    const level = settings.shape.log.unwrap().shape.level.safeParse(env.GAMEKEEPER_LOG_LEVEL);
    if (!level.success)
      throw new SettingsError(
        `GAMEKEEPER_LOG_LEVEL: ${level.error.issues[0]?.message} (is: "${env.GAMEKEEPER_LOG_LEVEL}")`,
      );
    log.level = level.data;
  }
  return { ...base, remoteControl, log };
}

function portFrom(variable: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SettingsError(`${variable}: must be a port from 0 (any free one) to 65535 (is: "${text}")`);
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw new SettingsError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
