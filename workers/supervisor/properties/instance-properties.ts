import { createHash } from 'node:crypto';
import type { AdoptedSettings } from '../../../shared/contract/daemon/instances.ts';
import { isSecretProperty, knownProperty } from '../../../shared/domain/properties/known-properties.ts';
import { valueProblem } from '../../../shared/domain/properties/property.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { rulesOf } from '../game/game-rules.ts';
import type { Log } from '../own-process/process-log.ts';
import type { AgreedValues } from './agreed-values.ts';
import { readInstanceFile } from './instance-file.ts';
import { adoptedSettings, isInRange, type Link, linksOf, reconcile } from './linked-settings.ts';
import { changePropertiesFile, type PropertiesFile } from './properties-file.ts';

/** What stands in for a secret; written back, it leaves the secret as it is. */
export const MASK = '********';

export interface PropertiesResource {
  properties: Record<string, string>;
  etag: string;
}

export interface PropertiesChange {
  properties: Record<string, string>;
  /** `If-Match` as it came (RFC 9110, section 13.1.1). */
  ifMatch?: string;
}

export interface InstancePropertiesOptions {
  config: () => InstanceConfig;
  /** Makes these the instance's settings; `config` says so when it resolves. */
  adopt: (settings: AdoptedSettings) => Promise<void>;
  agreed: AgreedValues;
  /** A game that runs has read its file already, and may write it again as it was. */
  hasProcess: () => boolean;
  /** The folder is being backed up or restored. */
  isFolderLocked: () => boolean;
  /** Runs something while no start does, which writes the same file. */
  exclusively: <T>(task: () => Promise<T>) => Promise<T>;
  log: Log;
}

/** `server.properties` of an instance, which never says anything else about port, player limit and RCON than the instance does. */
export interface InstanceProperties {
  /** Secrets masked. What file and instance do not agree about is settled first. */
  read(): Promise<PropertiesResource>;
  /** Sets the named properties. Throws `precondition_failed` or `invalid_request`; then nothing was written. */
  change(change: PropertiesChange): Promise<PropertiesResource>;
  /** Settles it, and resolves to the file. For who is alone already (`exclusively`), as a start is. */
  settle(): Promise<PropertiesFile>;
  /** Makes the last changes before a launch. */
  prepare(file: PropertiesFile, changes: Readonly<Record<string, string>>): Promise<void>;
}

export function createInstanceProperties(options: InstancePropertiesOptions): InstanceProperties {
  const { config, adopt, agreed, hasProcess, isFolderLocked, exclusively, log } = options;
  const definition = () => rulesOf(config()).definition;

  const load = () => readInstanceFile(config());

  async function compare() {
    const file = await load();
    const { serverProperties: governed } = definition();
    const links = linksOf(config(), definition());
    return { file, ...reconcile({ links, values: file.values, agreed: await agreed.read(), governed }) };
  }

  /** What both say now is what a change of either will be seen against. */
  async function note({ values }: Pick<PropertiesFile, 'values'>): Promise<void> {
    if (hasProcess()) return;
    const links = linksOf(config(), definition()).filter(({ key, value }) => values[key] === value);
    if (links.length > 0) await agreed.note(Object.fromEntries(links.map(({ key, value }) => [key, value])));
  }

  async function settle(): Promise<PropertiesFile> {
    const { file, toFile, toInstance } = await compare();
    if (isFolderLocked() || !file.exists) return file;
    try {
      if (Object.keys(toInstance).length > 0) await adopt(adoptedSettings(toInstance, config()));
    } catch (error) {
      log('warn', 'what server.properties says could not be taken over', { error });
      return file;
    }
    const settled = (await changePropertiesFile(file, toFile)) ? await load() : file;
    await note(settled);
    return settled;
  }

  /** The properties as they are, or will be as soon as the file can be written. */
  async function resource(): Promise<PropertiesResource & { values: Record<string, string> }> {
    const { file, toFile } = await compare();
    const values = { ...file.values, ...toFile };
    const pending = JSON.stringify(toFile);
    const etag =
      pending === '{}'
        ? file.etag
        : `"${createHash('sha256')
            .update(file.etag + pending)
            .digest('hex')
            .slice(0, 32)}"`;
    return { values, properties: masked(values), etag };
  }

  async function read(): Promise<PropertiesResource> {
    if (definition().settingsFile !== undefined) return { properties: {}, etag: '"none"' };
    const { toFile, toInstance, file } = await compare();
    const isSettled = Object.keys({ ...toFile, ...toInstance }).length === 0;
    if (isSettled) await note(file);
    else if (file.exists) await exclusively(settle);
    const { properties, etag } = await resource();
    return { properties, etag };
  }

  async function write({ properties, ifMatch }: PropertiesChange): Promise<void> {
    const file = await settle();
    const { values, etag } = await resource();
    if (ifMatch !== undefined && !matches(ifMatch, etag))
      throw new GamekeeperError('precondition_failed', 'server.properties has changed since you read it.');
    // What is written back as it was read is no change: neither a mask nor an old value that we would not accept as a new one.
    const wanted = Object.entries(properties).filter(
      ([key, value]) => values[key] !== value && !(isSecretProperty(key) && value === MASK),
    );
    const links = linksOf(config(), definition());
    for (const [key, value] of wanted) {
      const problem = file.format.problemOf(key, value) ?? problemOf(key, value, { definition: definition(), links });
      if (problem !== undefined) throw wrong(key, value, problem);
    }
    const changes = Object.fromEntries(wanted);
    await changePropertiesFile(file, changes);
    const linked = links.filter(({ key, value }) => changes[key] !== undefined && changes[key] !== value);
    if (linked.length > 0)
      await adopt(adoptedSettings(Object.fromEntries(linked.map(({ key }) => [key, changes[key]!])), config()));
    await note(await load());
  }

  return {
    read,
    async change(change) {
      const { settingsFile, title } = definition();
      if (settingsFile !== undefined && Object.keys(change.properties).length > 0)
        throw new GamekeeperError('invalid_request', `properties: ${title} has no server.properties.`, {
          resolution: `Edit ${settingsFile} in the instance's folder; its port is set with PATCH /instances/{id}.`,
        });
      if (settingsFile === undefined) await exclusively(() => write(change));
      return read();
    },
    settle: () => (definition().settingsFile === undefined ? settle() : load()),
    async prepare(file, changes) {
      await changePropertiesFile(file, changes);
      await note({ values: { ...file.values, ...changes } });
    },
  };
}

function problemOf(
  key: string,
  value: string,
  { definition, links }: { definition: SoftwareDefinition; links: readonly Link[] },
): string | undefined {
  if (!/^[\x21-\x7e]{1,100}$/.test(key)) return 'a name has 1 to 100 visible ASCII characters';
  if (value.length > 10_000) return 'a value has at most 10,000 characters';
  if (value.includes('\0')) return 'a value cannot hold a NUL character';
  const property = knownProperty(definition.edition, key);
  const problem = property && valueProblem(property, value);
  if (problem !== undefined) return problem;
  const link = links.find((candidate) => candidate.key === key);
  return link && !isInRange(link, value) ? `must be a whole number from 1 to ${link.maximum}` : undefined;
}

/** Says key and value, but no secret. */
function wrong(key: string, value: string, problem: string): GamekeeperError {
  const shown = isSecretProperty(key) || value.length > 100 ? '' : ` (is: ${JSON.stringify(value)})`;
  return new GamekeeperError('invalid_request', `properties.${key.slice(0, 100)}: ${problem}${shown}.`);
}

function masked(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, isSecretProperty(key) && value !== '' ? MASK : value]),
  );
}

function matches(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === '*' || ifMatch.split(',').some((candidate) => candidate.trim() === etag);
}
