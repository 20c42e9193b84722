import { deriveInstanceId } from '../../shared/domain/instance/instance-id.ts';
import { adminChannelOf } from '../../shared/domain/software/admin-channel.ts';
import { allSoftware, softwareFor } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition, Transport } from '../../shared/domain/software/definition.ts';
import { NEWEST } from '../../shared/domain/software/version-source.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import {
  type CreateInstance,
  createInstance,
  type InstanceConfig,
  type UpdateInstance,
} from '../../shared/schema/instance.ts';
import { patternProblem } from '../settings/safe-pattern.ts';
import { withSoftware } from './change-software.ts';
import { firstFreePort, type RowPort } from './free-port.ts';
import { checkGameUser } from './game-user.ts';
import { checkGamePort, checkMemory, type HostLimits } from './host-limits.ts';
import type { FolderSettings } from './server-folder.ts';
import { checkVariables } from './variables.ts';

/** As far apart as Minecraft's defaults, 25565 and 25575, so that the RCON port is easy to find. */
const RCON_DISTANCE = 10;
const DEFAULT_RCON_PORT = 25_575;
/** Linux gives the ports above this one to outgoing connections. */
const LAST_QUIET_PORT = 32_767;

const DEFAULT_STOP_SECONDS = 60;

/** What the decision depends on besides the request. */
export interface Surroundings {
  /** The other instances. */
  others: readonly InstanceConfig[];
  /** Ports that are never chosen automatically: Gamekeeper's own, and those in the files of other servers. */
  reservedPorts: readonly number[];
  host: HostLimits;
  canBind(port: number, transport: Transport): Promise<boolean>;
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
  const software = definitionOf(request);
  checkLaunch(request.launch, software);
  if (request.sleepWhenEmptyMinutes !== undefined) checkSleep(software);
  checkValues(request);
  checkReadiness(request);
  checkMemory(request.memoryMb, surroundings.host);
  await checkGameUser(request.runAs);
  const id = idOf(request, surroundings);
  const { directory, managed, settings } = await surroundings.folderOf(id);

  const taken = takenPorts(surroundings);
  const port = request.port ?? settings.port ?? (await freeGamePort(software, { taken, ...surroundings }));
  for (const one of portsFrom(port, software)) taken.add(one);
  const free = (from: number, transport: Transport = 'tcp') =>
    firstFreePort(from, { taken, row: [{ offset: 0, transport }], canBind: surroundings.canBind });
  const { newPassword } = surroundings;
  const rcon = request.rcon ?? (await rconOf(software, { settings, port, free, newPassword }));
  if (rcon) taken.add(rcon.port);
  const ports = await namedPorts(software, { wanted: request.ports, taken, free });
  const variables = checkVariables(software, request.variables ?? {});

  checkGamePort({ ...chosen(request), port, ...(rcon && { rcon }) }, surroundings.host);
  const { acceptEula, variables: _, ...rest } = request;
  return {
    ...defined(rest),
    id,
    version: request.version ?? software.defaultVersion ?? NEWEST,
    port,
    ...(ports && { ports }),
    ...(variables && { variables }),
    stopTimeoutSeconds: request.stopTimeoutSeconds ?? software.stop?.graceSeconds ?? DEFAULT_STOP_SECONDS,
    eulaAccepted: acceptEula,
    directory,
    managed,
    env: request.env ?? {},
    ...(rcon && { rcon }),
    createdAt: surroundings.now.toISOString(),
  };
}

/** Returns the ports that no other server should get. */
export function takenPorts({ others, reservedPorts }: Pick<Surroundings, 'others' | 'reservedPorts'>): Set<number> {
  const taken = new Set(reservedPorts);
  for (const other of others) {
    const { port, ports = {}, rcon } = other;
    for (const one of [...portsFrom(port, softwareFor(other)), ...Object.values(ports), rcon?.port ?? port])
      taken.add(one);
  }
  return taken;
}

/** Returns an instance's configuration after a change. Throws `invalid_request` with the field and what is allowed. */
export function resolveUpdate(before: InstanceConfig, change: UpdateInstance, host: HostLimits): InstanceConfig {
  const { software: kind = before.software, transport = before.transport } = change;
  const config = kind === before.software ? before : withSoftware(before, kind);
  const software = definitionOf({ software: kind, transport: transport ?? undefined });
  if (change.launch !== undefined) checkLaunch(change.launch, software);
  checkValues(change);
  if (change.ports !== undefined) checkPortNames(software, change.ports);
  if (change.memoryMb != null) checkMemory(change.memoryMb, host);
  const { acceptEula, ports, ...rest } = change;
  const changed = withoutNulls({
    ...config,
    ...defined(withDefaults(rest, software)),
    ...(ports && { ports: { ...config.ports, ...ports } }),
    ...(acceptEula !== undefined && { eulaAccepted: acceptEula }),
  });
  checkReadiness(changed);
  if (changed.sleepWhenEmptyMinutes !== undefined) checkSleep(software);
  if (change.port !== undefined || change.rcon !== undefined || change.transport !== undefined)
    checkGamePort(changed, host);
  return changed;
}

type Rest = Omit<UpdateInstance, 'acceptEula' | 'ports'>;
type Defaulted = 'memoryMb' | 'crashPolicy' | 'stopTimeoutSeconds' | 'autoStart' | 'env';

/** `null` is the default again. Members that may be absent are left to `withoutNulls`. */
function withDefaults(change: Rest, { stop }: SoftwareDefinition) {
  const { memoryMb, crashPolicy, autoStart } = createInstance.shape;
  const usual: Pick<InstanceConfig, Defaulted> = {
    memoryMb: memoryMb.parse(undefined),
    crashPolicy: crashPolicy.parse(undefined),
    stopTimeoutSeconds: stop?.graceSeconds ?? DEFAULT_STOP_SECONDS,
    autoStart: autoStart.parse(undefined),
    env: {},
  };
  const reset = Object.entries(usual).filter(([key]) => change[key as Defaulted] === null);
  return { ...change, ...Object.fromEntries(reset) } as Omit<Rest, Defaulted> &
    Partial<Pick<InstanceConfig, Defaulted>>;
}

/** Returns the ports of a server that depend on its game port: Bedrock gets the next one as well, for IPv6. */
export function rowOf({ edition, gamePort: { transport }, ports = [] }: SoftwareDefinition): RowPort[] {
  return [
    { offset: 0, transport },
    ...(edition === 'bedrock' ? [{ offset: 1, transport }] : []),
    ...ports.flatMap(({ offset, transport: its }) => (offset === undefined ? [] : [{ offset, transport: its }])),
  ];
}

function portsFrom(port: number, software: SoftwareDefinition | undefined): number[] {
  return software ? rowOf(software).map(({ offset }) => port + offset) : [port];
}

/** Returns the numbers of the ports that have their own, as requested or the first free ones. */
async function namedPorts(
  software: SoftwareDefinition,
  { wanted = {}, taken, free }: NamedPortChoices,
): Promise<Record<string, number> | undefined> {
  checkPortNames(software, wanted);
  const chosen: Record<string, number> = {};
  for (const { name, transport, first } of software.ports ?? []) {
    if (first === undefined) continue;
    const port = wanted[name] ?? (await free(first, transport));
    taken.add(port);
    chosen[name] = port;
  }
  return Object.keys(chosen).length === 0 ? undefined : chosen;
}

interface NamedPortChoices {
  wanted: CreateInstance['ports'];
  taken: Set<number>;
  free: (from: number, transport: Transport) => Promise<number>;
}

function checkPortNames({ kind, ports = [] }: SoftwareDefinition, wanted: Record<string, number>): void {
  const own = ports.filter(({ first }) => first !== undefined).map(({ name }) => name);
  const unknown = Object.keys(wanted).find((name) => !own.includes(name));
  if (unknown === undefined) return;
  const choice = own.length === 0 ? 'It has no further ports to set.' : `It has ${own.join(', ')}.`;
  throw invalid(`ports: a "${kind}" server has no port "${unknown}" to set. ${choice}`);
}

function freeGamePort(
  software: SoftwareDefinition,
  { taken, canBind }: { taken: ReadonlySet<number> } & Pick<Surroundings, 'canBind'>,
): Promise<number> {
  const { first } = software.gamePort;
  return firstFreePort(first, { taken, row: rowOf(software), canBind });
}

function definitionOf(wanted: Pick<CreateInstance, 'software' | 'transport'>): SoftwareDefinition {
  const { software: kind, transport } = wanted;
  const definition = softwareFor(chosen(wanted));
  if (definition && (transport === undefined || definition.launch.type === 'program')) return definition;
  if (definition) throw invalid(`transport: only for software "custom". A "${kind}" server has its own.`);
  const kinds = allSoftware()
    .map((known) => known.kind)
    .join(', ');
  throw invalid(`software: there is no kind "${kind}". The kinds are ${kinds}.`);
}

function chosen({ software, transport }: Pick<CreateInstance, 'software' | 'transport'>) {
  return { software, ...(transport !== undefined && { transport }) };
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
      `sleepWhenEmptyMinutes: a "${kind}" server cannot sleep, because Gamekeeper cannot distinguish its players who join from those who only look.`,
    );
}

function checkReadiness({
  readyPattern,
  readyAfterSeconds,
}: Pick<CreateInstance, 'readyPattern' | 'readyAfterSeconds'>) {
  if (readyPattern !== undefined && readyAfterSeconds !== undefined)
    throw invalid('readyAfterSeconds: cannot be combined with readyPattern. Leave one of them out, or set it to null.');
}

function checkValues(values: Pick<UpdateInstance, 'env' | 'readyPattern' | 'saveCommands'>): void {
  const reserved = Object.keys(values.env ?? {}).find((name) => name.toUpperCase().startsWith('GAMEKEEPER_'));
  if (reserved !== undefined)
    throw invalid(`env: "${reserved}" is not allowed. Names that start with GAMEKEEPER_ are reserved.`);
  const patterns = {
    readyPattern: values.readyPattern,
    'saveCommands.savedPattern': values.saveCommands?.savedPattern,
  };
  for (const [field, pattern] of Object.entries(patterns)) {
    const problem = pattern == null ? undefined : patternProblem(pattern, { shortLines: true });
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
  const channel = adminChannelOf(software);
  if (channel === 'quake3-rcon') return { port, password: newPassword(), chosen: true };
  if (!software.rcon && !channel) return undefined;
  const beside = port + RCON_DISTANCE;
  const first = beside > LAST_QUIET_PORT ? DEFAULT_RCON_PORT : beside;
  return { port: await free(first), password: rconPassword ?? newPassword(), chosen: true };
}

/** Removes the members that a change sets to `null`. */
function withoutNulls<T extends object>(values: T): { [Key in keyof T]: Exclude<T[Key], null> } {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as { [Key in keyof T]: Exclude<T[Key], null> };
}

/** Removes the members that are undefined. */
function defined<T extends object>(values: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

function invalid(detail: string): GamekeeperError {
  return new GamekeeperError('invalid_request', detail);
}
