import { deriveInstanceId } from '../../shared/domain/instance/instance-id.ts';
import { allSoftware, softwareOf } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { CreateInstance, InstanceConfig, UpdateInstance } from '../../shared/schema/instance.ts';
import { patternProblem } from '../settings/safe-pattern.ts';
import { firstFreePort } from './free-port.ts';
import type { FolderSettings } from './server-folder.ts';

/** As far apart as Minecraft's defaults, 25565 and 25575, so that the RCON port is easy to find. */
const RCON_DISTANCE = 10;
const DEFAULT_RCON_PORT = 25_575;
/** Linux gives the ports above this one to outgoing connections. */
const LAST_QUIET_PORT = 32_767;

/** For kinds without a default version: the newest one when the software is installed. */
const NEWEST = 'latest';

/** What the decision depends on besides the request. */
export interface Surroundings {
  /** The other instances. */
  others: readonly InstanceConfig[];
  /** Ports that are never chosen automatically: Gamekeeper's own, and those in the files of other servers. */
  reservedPorts: readonly number[];
  canBind(port: number, transport: 'tcp' | 'udp'): Promise<boolean>;
  /** Whether `instances/<id>` exists, left over from a deleted instance. */
  hasFolder(id: string): boolean;
  /** Returns the folder of an instance with this id: the one in the request, or the managed one. */
  folderOf(id: string): Promise<{ directory: string; managed: boolean; settings: FolderSettings }>;
  newPassword(): string;
  now: Date;
}

/**
 * Returns the complete configuration of a new instance. Throws `invalid_request` with the field and what is allowed, `instance_exists`, or
 * `port_in_use` if no port is left.
 */
export async function resolveInstance(request: CreateInstance, surroundings: Surroundings): Promise<InstanceConfig> {
  const software = definitionOf(request.software);
  checkLaunch(request.launch, software);
  if (request.sleepWhenEmptyMinutes !== undefined) checkSleep(software);
  checkValues(request);
  const id = idOf(request, surroundings);
  const { directory, managed, settings } = await surroundings.folderOf(id);

  const taken = new Set(surroundings.reservedPorts);
  for (const { software: kind, port, rcon } of surroundings.others)
    for (const one of [...rowOf(softwareOf(kind), port), rcon?.port ?? port]) taken.add(one);

  const port = request.port ?? settings.port ?? (await freeGamePort(software, { taken, ...surroundings }));
  for (const one of rowOf(software, port)) taken.add(one);
  const free = (from: number) =>
    firstFreePort(from, { taken, canBind: (candidate) => surroundings.canBind(candidate, 'tcp') });
  const { newPassword } = surroundings;
  const rcon = request.rcon ?? (await rconOf(software, { settings, port, free, newPassword }));

  const { acceptEula, ...rest } = request;
  return {
    ...defined(rest),
    id,
    version: request.version ?? software.defaultVersion ?? NEWEST,
    port,
    eulaAccepted: acceptEula,
    directory,
    managed,
    env: request.env ?? {},
    ...(rcon && { rcon }),
    createdAt: surroundings.now.toISOString(),
  };
}

/** Returns an instance's configuration after a change. Throws `invalid_request` with the field and what is allowed. */
export function resolveUpdate(config: InstanceConfig, change: UpdateInstance): InstanceConfig {
  if (change.launch !== undefined) checkLaunch(change.launch, definitionOf(config.software));
  checkValues(change);
  if (change.sleepWhenEmptyMinutes != null) checkSleep(definitionOf(config.software));
  const { acceptEula, ...rest } = change;
  return withoutNulls({
    ...config,
    ...defined(rest),
    ...(acceptEula !== undefined && { eulaAccepted: acceptEula }),
  });
}

/** Returns the ports of a server: Bedrock gets the next one as well, for IPv6. */
function rowOf(software: SoftwareDefinition | undefined, port: number): number[] {
  return software?.edition === 'bedrock' ? [port, port + 1] : [port];
}

function freeGamePort(
  software: SoftwareDefinition,
  { taken, canBind }: { taken: ReadonlySet<number> } & Pick<Surroundings, 'canBind'>,
): Promise<number> {
  const { first, transport } = software.gamePort;
  const count = rowOf(software, first).length;
  return firstFreePort(first, { taken, count, canBind: (port) => canBind(port, transport) });
}

function definitionOf(kind: string): SoftwareDefinition {
  const definition = softwareOf(kind);
  if (definition) return definition;
  const kinds = allSoftware()
    .map((known) => known.kind)
    .join(', ');
  throw invalid(`software: there is no kind "${kind}". The kinds are ${kinds}.`);
}

function checkLaunch(launch: CreateInstance['launch'], software: SoftwareDefinition): void {
  const isProgram = software.launch.type === 'program';
  if (isProgram && !launch)
    throw invalid(
      `launch: a "${software.kind}" server needs the command that starts it, such as {"command": ["./server"]}.`,
    );
  if (!isProgram && launch)
    throw invalid(`launch: only for software "custom". Gamekeeper knows how to start a "${software.kind}" server.`);
}

/** To wake, a sleeping server must distinguish a login, which contains the player's name, from a status request. */
function checkSleep({ kind, listPing, gamePort: { transport } }: SoftwareDefinition): void {
  if (transport === 'udp' || !listPing)
    throw invalid(
      `sleepWhenEmptyMinutes: a "${kind}" server cannot sleep, because players who join cannot be told from those who only look.`,
    );
}

function checkValues(values: Pick<CreateInstance, 'env' | 'readyPattern' | 'saveCommands'>): void {
  const reserved = Object.keys(values.env ?? {}).find((name) => name.toUpperCase().startsWith('GAMEKEEPER_'));
  if (reserved !== undefined)
    throw invalid(`env: "${reserved}" is not allowed. Names that start with GAMEKEEPER_ are reserved.`);
  const patterns = {
    readyPattern: values.readyPattern,
    'saveCommands.savedPattern': values.saveCommands?.savedPattern,
  };
  for (const [field, pattern] of Object.entries(patterns)) {
    const problem = pattern === undefined ? undefined : patternProblem(pattern, { shortLines: true });
    if (problem) throw invalid(`${field}: ${JSON.stringify(pattern)} ${problem}.`);
  }
}

/** A derived id also avoids the folders of deleted instances. An id in the request uses such a folder again. */
function idOf(request: CreateInstance, { others, hasFolder }: Surroundings): string {
  const isTaken = (id: string) => others.some((other) => other.id === id);
  if (request.id === undefined) return deriveInstanceId(request.name, (id) => isTaken(id) || hasFolder(id));
  if (isTaken(request.id)) throw new GamekeeperError('instance_exists', `An instance "${request.id}" already exists.`);
  return request.id;
}

interface RconChoices {
  settings: FolderSettings;
  /** The game port. */
  port: number;
  free: (from: number) => Promise<number>;
  newPassword: () => string;
}

/**
 * Returns the RCON access that the folder has enabled. Otherwise, for kinds with RCON, chooses a port, and keeps the folder's password if
 * there is one.
 */
async function rconOf(
  software: SoftwareDefinition,
  { settings, port, free, newPassword }: RconChoices,
): Promise<InstanceConfig['rcon']> {
  const { rconEnabled, rconPort, rconPassword } = settings;
  if (rconEnabled && rconPassword) return { port: rconPort ?? DEFAULT_RCON_PORT, password: rconPassword };
  if (!software.rcon) return undefined;
  const beside = port + RCON_DISTANCE;
  const first = beside > LAST_QUIET_PORT ? DEFAULT_RCON_PORT : beside;
  return { port: await free(first), password: rconPassword ?? newPassword(), chosen: true };
}

type Taken = 'javaVersion' | 'sleepWhenEmptyMinutes';
type Changed = Omit<InstanceConfig, Taken> & { [Key in Taken]?: InstanceConfig[Key] | null };

/** Removes the members that a change sets to `null`. */
function withoutNulls(config: Changed): InstanceConfig {
  const { javaVersion, sleepWhenEmptyMinutes, ...rest } = config;
  return {
    ...rest,
    ...(javaVersion != null && { javaVersion }),
    ...(sleepWhenEmptyMinutes != null && { sleepWhenEmptyMinutes }),
  };
}

/** Removes the members that are undefined. */
function defined<T extends object>(values: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

function invalid(detail: string): GamekeeperError {
  return new GamekeeperError('invalid_request', detail);
}
