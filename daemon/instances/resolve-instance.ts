import { deriveInstanceId } from '../../shared/domain/instance-id.ts';
import { allSoftware, softwareOf } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { CreateInstance, InstanceConfig, UpdateInstance } from '../../shared/schema/instance.ts';
import { patternProblem } from '../settings/safe-pattern.ts';
import { firstFreePort } from './free-port.ts';
import type { FolderSettings } from './server-folder.ts';

/** Minecraft's own defaults, 25565 and 25575, are so far apart; whoever knows a server's port knows where its RCON is. */
const RCON_DISTANCE = 10;
const DEFAULT_RCON_PORT = 25_575;
/** From 32768 on a port may be taken by any outgoing connection (Linux). */
const LAST_QUIET_PORT = 32_767;

/** For kinds whose definition leaves the version to the vendor: what is newest when the software is installed. */
const NEWEST = 'latest';

/** What the decision depends on besides the request. */
export interface Surroundings {
  /** The other instances. */
  others: readonly InstanceConfig[];
  /** Ports that nobody is given by chance: Gamekeeper's own, and what stands in the files of other servers. */
  reservedPorts: readonly number[];
  canBind(port: number, transport: 'tcp' | 'udp'): Promise<boolean>;
  /** True when `instances/<id>` is there already, left over from an instance that was deleted. */
  hasFolder(id: string): boolean;
  /** The folder that an instance with this id works in: the request's own, else the managed one. */
  folderOf(id: string): Promise<{ directory: string; managed: boolean; settings: FolderSettings }>;
  newPassword(): string;
  now: Date;
}

/**
 * The complete configuration of a new instance. Throws `invalid_request` naming the field and what is allowed, `instance_exists`,
 * or `port_in_use` when no port is left.
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

/** An instance's configuration after a change. Throws `invalid_request` naming the field and what is allowed. */
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

/** The ports that a server's own port stands for: Bedrock is given the next one for IPv6. */
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
    throw invalid(
      `launch: only for software "custom"; Gamekeeper knows itself how a "${software.kind}" server is started.`,
    );
}

/** What a sleeping server listens for: a login that names the player before anything has to be agreed on. */
function checkSleep({ kind, listPing, gamePort: { transport } }: SoftwareDefinition): void {
  if (transport === 'udp' || !listPing)
    throw invalid(
      `sleepWhenEmptyMinutes: a "${kind}" server cannot sleep, since it cannot be told who joins from who only looks.`,
    );
}

function checkValues(values: Pick<CreateInstance, 'env' | 'readyPattern' | 'saveCommands'>): void {
  const ours = Object.keys(values.env ?? {}).find((name) => name.toUpperCase().startsWith('GAMEKEEPER_'));
  if (ours !== undefined) throw invalid(`env: "${ours}" is not allowed; names that start with GAMEKEEPER_ are ours.`);
  const patterns = {
    readyPattern: values.readyPattern,
    'saveCommands.savedPattern': values.saveCommands?.savedPattern,
  };
  for (const [field, pattern] of Object.entries(patterns)) {
    const problem = pattern === undefined ? undefined : patternProblem(pattern, { shortLines: true });
    if (problem) throw invalid(`${field}: ${JSON.stringify(pattern)} ${problem}.`);
  }
}

/** A derived id also keeps clear of folders that deleted instances left; one that is asked for by name takes its folder up again. */
function idOf(request: CreateInstance, { others, hasFolder }: Surroundings): string {
  const isTaken = (id: string) => others.some((other) => other.id === id);
  if (request.id === undefined) return deriveInstanceId(request.name, (id) => isTaken(id) || hasFolder(id));
  if (isTaken(request.id))
    throw new GamekeeperError('instance_exists', `There is an instance "${request.id}" already.`);
  return request.id;
}

interface RconChoices {
  settings: FolderSettings;
  /** The server's own. */
  port: number;
  free: (from: number) => Promise<number>;
  newPassword: () => string;
}

/** The folder's own if it enables RCON; else, for kinds that have it, chosen, but a password that is there is kept. */
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

/** Without the members that a change takes back with `null`. */
function withoutNulls(config: Changed): InstanceConfig {
  const { javaVersion, sleepWhenEmptyMinutes, ...rest } = config;
  return {
    ...rest,
    ...(javaVersion != null && { javaVersion }),
    ...(sleepWhenEmptyMinutes != null && { sleepWhenEmptyMinutes }),
  };
}

/** Without the members that are there but undefined. */
function defined<T extends object>(values: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

function invalid(detail: string): GamekeeperError {
  return new GamekeeperError('invalid_request', detail);
}
