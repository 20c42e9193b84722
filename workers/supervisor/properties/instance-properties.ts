import { createHash } from 'node:crypto';
import { ifMatchHolds } from '../../../shared/domain/http/entity-tag.ts';
import { isSecretProperty, knownProperty } from '../../../shared/domain/properties/known-properties.ts';
import { valueProblem } from '../../../shared/domain/properties/property.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { rulesOf } from '../game/game-rules.ts';
import { LinkedFile, type LinkedFileOptions } from './linked-file.ts';
import { isInRange, type Link } from './linked-settings.ts';
import { changePropertiesFile, type PropertiesFile } from './properties-file.ts';

/** Stands for a secret. Written back, it leaves the secret unchanged. */
export const MASK = '********';

export interface PropertiesResource {
  properties: Record<string, string>;
  etag: string;
}

export interface PropertiesChange {
  properties: Record<string, string>;
  /** `If-Match` as received (RFC 9110, section 13.1.1). */
  ifMatch?: string;
}

export interface ChangedProperties extends PropertiesResource {
  /** The new values of the properties that had another one before. */
  changes: Readonly<Record<string, string>>;
  /** The file as it was written. */
  file: PropertiesFile;
}

/** A change of the file. `before`: the default if the file did not have it. */
export interface ChangedProperty {
  key: string;
  before: string;
  after: string;
}

export interface InstancePropertiesOptions extends LinkedFileOptions {
  /** Called with changes that the next start applies, except those of the instance's own settings. */
  noteChanges: (changes: readonly ChangedProperty[]) => Promise<void>;
  /** Runs a task while no start runs, which writes the same file. */
  exclusively: <T>(task: () => Promise<T>) => Promise<T>;
}

/** The `server.properties` of an instance. Port, player limit and RCON port always equal the instance's settings. */
export interface InstanceProperties {
  /** Returns the properties with secrets masked. Settles differences between file and instance first. */
  read(): Promise<PropertiesResource>;
  /** Sets the given properties. Throws `precondition_failed` or `invalid_request`; nothing is written then. */
  change(change: PropertiesChange): Promise<ChangedProperties>;
  /** Settles differences before a start, and resolves to the file. Throws `launch_failed` if the daemon refuses what was edited in it. */
  settle(): Promise<PropertiesFile>;
  /** Makes the last changes before a launch. */
  prepare(file: PropertiesFile, changes: Readonly<Record<string, string>>): Promise<void>;
}

export function createInstanceProperties(options: InstancePropertiesOptions): InstanceProperties {
  const { config, exclusively } = options;
  const linked = new LinkedFile(options);
  const definition = () => rulesOf(config()).definition;
  const known = (key: string) => knownProperty(definition().edition, key);
  const isForStart = (key: string) => known(key)?.takesEffect !== 'new-world';

  /** Returns the properties as they are, or will be as soon as the file can be written. */
  async function resource(): Promise<PropertiesResource & { values: Record<string, string> }> {
    const { file, toFile } = await linked.compare();
    const values = { ...file.values, ...toFile };
    return { values, properties: masked(values), etag: etagOf(file, toFile) };
  }

  async function read(): Promise<PropertiesResource> {
    if (definition().settingsFile !== undefined) return { properties: {}, etag: '"none"' };
    const { toFile, toInstance, file } = await linked.compare();
    const isSettled = Object.keys({ ...toFile, ...toInstance }).length === 0;
    if (isSettled) await linked.note(file);
    else if (file.exists) await exclusively(() => linked.settle());
    const { properties, etag } = await resource();
    return { properties, etag };
  }

  async function write({
    properties,
    ifMatch,
  }: PropertiesChange): Promise<Pick<ChangedProperties, 'changes' | 'file'>> {
    const file = await linked.settle();
    const { values, etag } = await resource();
    if (!ifMatchHolds(ifMatch, etag))
      throw new GamekeeperError('precondition_failed', 'server.properties has changed since you read it.');
    // A value that is written back as it was read does not count as a change, even if it is a mask or not valid as a new one.
    const wanted = Object.entries(properties).filter(
      ([key, value]) => values[key] !== value && !(isSecretProperty(key) && value === MASK),
    );
    const { links } = linked;
    for (const [key, value] of wanted) {
      const problem = file.format.problemOf(key, value) ?? problemOf(key, value, { definition: definition(), links });
      if (problem !== undefined) throw invalid(key, value, problem);
    }
    const changes = Object.fromEntries(wanted);
    const changed = links.filter(({ key, value }) => changes[key] !== undefined && changes[key] !== value);
    // Before the file is written: the daemon may refuse a port. If writing fails, the instance's setting wins.
    if (changed.length > 0) await linked.adopt(Object.fromEntries(changed.map(({ key }) => [key, changes[key]!])));
    await changePropertiesFile(file, changes);
    const atStart = wanted.filter(([key]) => !links.some((link) => link.key === key) && isForStart(key));
    await options.noteChanges(
      atStart.map(([key, after]) => ({ key, before: values[key] ?? known(key)?.default ?? '', after })),
    );
    const written = await linked.load();
    await linked.note(written);
    return { changes, file: written };
  }

  return {
    read,
    async change(change) {
      const { settingsFile, title } = definition();
      if (settingsFile !== undefined && Object.keys(change.properties).length > 0)
        throw new GamekeeperError('invalid_request', `properties: ${title} has no server.properties.`, {
          resolution: `Edit ${settingsFile} in the instance's folder. To change the port, use PATCH /instances/{id}.`,
        });
      const done =
        settingsFile === undefined
          ? await exclusively(() => write(change))
          : { changes: {}, file: await linked.load() };
      return { ...(await read()), ...done };
    },
    settle: () => (definition().settingsFile === undefined ? linked.settle({ forStart: true }) : linked.load()),
    async prepare(file, changes) {
      await changePropertiesFile(file, changes);
      await linked.note({ values: { ...file.values, ...changes } });
    },
  };
}

/** Changes that wait to be written are part of the ETag. */
function etagOf(file: PropertiesFile, pending: Readonly<Record<string, string>>): string {
  if (Object.keys(pending).length === 0) return file.etag;
  const hash = createHash('sha256').update(file.etag + JSON.stringify(pending));
  return `"${hash.digest('hex').slice(0, 32)}"`;
}

function problemOf(
  key: string,
  value: string,
  { definition, links }: { definition: SoftwareDefinition; links: readonly Link[] },
): string | undefined {
  if (!/^[\x21-\x7e]{1,100}$/.test(key)) return 'the name must be 1 to 100 visible ASCII characters';
  if (value.length > 10_000) return 'must be at most 10,000 characters';
  if (value.includes('\0')) return 'must not contain a NUL character';
  const property = knownProperty(definition.edition, key);
  const problem = property && valueProblem(property, value);
  if (problem !== undefined) return problem;
  const link = links.find((candidate) => candidate.key === key);
  return link && !isInRange(link, value) ? `must be a whole number from 1 to ${link.maximum}` : undefined;
}

/** Names the key and the value, unless that is a secret. */
function invalid(key: string, value: string, problem: string): GamekeeperError {
  const shown = isSecretProperty(key) || value.length > 100 ? '' : ` (is: ${JSON.stringify(value)})`;
  return new GamekeeperError('invalid_request', `properties.${key.slice(0, 100)}: ${problem}${shown}.`);
}

function masked(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, isSecretProperty(key) && value !== '' ? MASK : value]),
  );
}
