import { randomBytes, randomUUID } from 'node:crypto';
import { isSecretProperty } from '../../../shared/domain/properties/known-properties.ts';
import { adminChannelOf } from '../../../shared/domain/software/admin-channel.ts';
import { currentValue, placeholderValues } from '../../../shared/domain/software/placeholders.ts';
import { valueProblem } from '../../../shared/domain/software/variable.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { findGameUser } from '../../../shared/node/processes/system-user.ts';
import { writeConfigFiles } from '../config-files/write-config-files.ts';
import { adviseOnJava } from '../crash/wrong-java.ts';
import { requireEula, requireFolder } from '../folder/check-folder.ts';
import { giveFolder, requireFixedPlace } from '../folder/own-user.ts';
import { channelIn, createGameProcess } from '../game/game-process.ts';
import { rulesOf } from '../game/game-rules.ts';
import { LineFeed } from '../game/line-feed.ts';
import { logPrefixOf } from '../game/log-prefix.ts';
import { watchGame } from '../game/watch-game.ts';
import { gamePorts } from '../ports/game-ports.ts';
import { findFreePort, requireFreePort } from '../ports/port-probe.ts';
import { type SettledPort, settlePorts } from '../ports/settle-ports.ts';
import { findProgram, findSystemProgram, requireJar } from '../process/find-program.ts';
import { preparedCommand } from '../process/prepared-command.ts';
import { type PtyOptions, spawnPty } from '../process/pty.ts';
import { closeTerminalPipes, createTerminalPipes } from '../process/terminal-pipes.ts';
import { gameSettings } from '../properties/game-settings.ts';
import { isJava, needsProvisioning, planLaunch } from './launch-plan.ts';
import { settingsAtStart } from './settings-at-start.ts';
import type { StartContext } from './start-context.ts';

/** 144 bits, in characters that need no escape in any file. */
const PASSWORD_BYTES = 18;

/** A step of a start. Throws the reason if the start is not possible. */
export interface StartStep {
  name: string;
  run(start: StartContext): Promise<void> | void;
}

// What a start does, in order. A request succeeds after PREPARATION if something has to be installed, else after LAUNCH.

/** Detects everything that would make the start fail, before there is a process. Runs again after PROVISIONING, which may take minutes. */
export const PREPARATION: readonly StartStep[] = [
  { name: 'free the port of a sleeping server', run: ({ options }) => options.folder.freePort() },
  { name: 'look up the software', run: lookUpSoftware },
  { name: 'check the variables', run: checkVariables },
  { name: 'check the folder', run: ({ options }) => requireFolder(options.settings.current) },
  { name: 'look up its user', run: lookUpUser },
  { name: 'check the EULA', run: checkEula },
  { name: 'read the settings', run: readSettings },
  { name: 'settle the ports', run: settleAllPorts },
  { name: 'write the settings', run: writeSettings },
  { name: 'hide the secrets', run: hideSecrets },
];

/** Skipped if the software needs no installation, and in a restart after a crash. */
export const PROVISIONING: readonly StartStep[] = [
  { name: 'give the folder to its user', run: giveFolderToUser },
  { name: 'install software and Java', run: provision },
];

export const LAUNCH: readonly StartStep[] = [
  { name: 'write the settings files', run: writeSettingsFiles },
  { name: 'give the folder to its user', run: giveFolderToUser },
  { name: 'plan the command line', run: planCommandLine },
  { name: 'note its settings', run: noteSettings },
  { name: 'find the program', run: findTheProgram },
  { name: 'announce the process on record', run: announce },
  { name: 'spawn the process on a terminal', run: spawn },
  { name: 'control the process', run: control },
  { name: 'watch for readiness and the end', run: watch },
];

export async function runSteps(steps: readonly StartStep[], start: StartContext): Promise<void> {
  for (const { name, run } of steps) {
    try {
      await run(start);
    } catch (error) {
      if (!(error instanceof GamekeeperError))
        start.options.services.log('error', 'a step of a start failed', { step: name, error });
      throw error;
    }
  }
}

export function hasToProvision({ options: { settings }, rules, provisioned }: StartContext): boolean {
  return provisioned === undefined && needsProvisioning(settings.current, rules);
}

/** The rules stay those of the accepted request if the configuration changes during an installation. */
function lookUpSoftware(start: StartContext): void {
  const rules = rulesOf(start.options.settings.current);
  start.rules ??= rules;
}

/** Those without a default have to be set, and a kind may have changed since a value was set. */
function checkVariables({ options: { settings }, rules: { definition } }: StartContext): void {
  for (const variable of definition.variables ?? []) {
    const { name, title } = variable;
    const problem = valueProblem(variable, currentValue(variable, settings.current));
    if (problem === undefined) continue;
    const called = title === undefined ? `"${name}"` : `"${title}" (${name})`;
    throw new GamekeeperError('launch_failed', `The variable ${called} ${problem}.`, {
      resolution: `Set variables.${name} of the instance.`,
    });
  }
}

async function checkEula({ options: { settings }, rules }: StartContext): Promise<void> {
  if (rules.definition.eula) await requireEula(settings.current);
}

async function lookUpUser(start: StartContext): Promise<void> {
  const { runAs, directory } = start.options.settings.current;
  start.user = runAs === undefined ? undefined : await findGameUser(runAs);
  if (start.user) await requireFixedPlace(directory);
}

/** Whatever Gamekeeper has put into it belongs to Gamekeeper's user so far. */
async function giveFolderToUser({ user, options: { settings, services } }: StartContext): Promise<void> {
  if (user) await giveFolder(settings.current.directory, user, services.home);
}

/** First resolves differences between `server.properties` and the instance's settings. */
async function readSettings(start: StartContext): Promise<void> {
  const { settings, folder } = start.options;
  start.file = await folder.properties.settle();
  start.config = settings.current;
  start.gameSettings = gameSettings({
    config: start.config,
    definition: start.rules.definition,
    properties: start.file.values,
    password: randomBytes(PASSWORD_BYTES).toString('base64url'),
  });
}

async function settleAllPorts(start: StartContext): Promise<void> {
  const { folder } = start.options;
  const wishes = gamePorts({
    config: start.config,
    definition: start.rules.definition,
    properties: start.file.values,
    settings: start.gameSettings,
  });
  const { take: lease, suggest } = folder.ports;
  start.ports = await settlePorts(wishes, { lease, suggest, probe: requireFreePort, pick: findFreePort });
}

async function writeSettings(start: StartContext): Promise<void> {
  const { settings, folder } = start.options;
  const { reachHost: host, rcon: wanted } = start.gameSettings;
  const { definition } = start.rules;
  const channel = adminChannelOf(definition);
  const settled = start.ports.find(({ purpose }) => purpose === 'rcon')?.port;
  const rconPort = channel === 'quake3-rcon' ? start.config.port : settled;
  const rcon = wanted && rconPort !== undefined ? { host, port: rconPort, password: wanted.password } : undefined;
  if ((definition.rcon || channel) && rcon && rcon.port !== start.config.rcon?.port) {
    const chosen = { rcon: { port: rcon.port, password: rcon.password, chosen: true } } as const;
    try {
      await settings.change(chosen);
      start.config = { ...start.config, ...chosen };
    } catch {
      // Without a daemon the chosen port is not kept; the next start chooses again.
    }
  }
  await folder.properties.prepare(start.file, propertyChanges(start));
  start.address = {
    host,
    port: start.config.port,
    ports: namedPorts(start.ports),
    rcon: rcon && { ...rcon, ...channelIn(definition) },
  };
}

function propertyChanges({ gameSettings: { changes }, ports }: StartContext): Record<string, string> {
  return changes ? { ...changes, ...portProperties(ports) } : {};
}

/** Returns the ports that the game takes from its file. */
function portProperties(ports: readonly SettledPort[]): Record<string, string> {
  return Object.fromEntries(
    ports
      .filter(({ purpose }) => !['discovery', 'query', 'named'].includes(purpose))
      .map(({ key, port }) => [key, String(port)]),
  );
}

function hideSecrets(start: StartContext): void {
  const { file, address, options } = start;
  const secrets = Object.entries({ ...file.values, ...propertyChanges(start) })
    .filter(([key]) => isSecretProperty(key))
    .map(([, value]) => value);
  if (address.rcon) secrets.push(address.rcon.password);
  options.services.console.hideSecrets([...new Set(secrets)].filter((secret) => secret !== ''));
}

async function provision(start: StartContext): Promise<void> {
  const { provision: install, services } = start.options;
  for await (const step of install(start.calledOff)) {
    if ('done' in step) {
      start.provisioned = step.done;
      return;
    }
    services.console.appendNotice(step.progress);
  }
  throw new GamekeeperError('worker_unavailable', 'The installation ended without a result.');
}

/** After an installation, which may bring the files. */
async function writeSettingsFiles({ config, rules, address, ports }: StartContext): Promise<void> {
  const { definition } = rules;
  const values = placeholderValues(definition, config, {
    port: address.port,
    ports: namedPorts(ports),
    rcon: address.rcon,
  });
  await writeConfigFiles(config.directory, definition, values);
}

function namedPorts(ports: readonly SettledPort[]): Record<string, number> {
  return Object.fromEntries(ports.flatMap(({ label, port }) => (label === undefined ? [] : [[label, port]])));
}

function planCommandLine(start: StartContext): void {
  start.plan = planLaunch({
    config: start.config,
    rules: start.rules,
    port: start.address.port,
    ports: namedPorts(start.ports),
    rcon: start.address.rcon,
    provisioned: start.provisioned ?? {},
    environment: process.env,
    user: start.user,
    bundled: { node: process.execPath, embedded: start.options.embedded },
  });
}

/** What was installed earlier may differ from the settings. */
function noteSettings(start: StartContext): void {
  const { version, javaVersion } = start.provisioned?.settings ?? start.config;
  const { javaVersion: _configured, ...config } = start.config;
  const used = { ...config, version, ...(javaVersion && { javaVersion }) };
  start.startedWith = settingsAtStart(used, start.rules.definition);
}

async function findTheProgram(start: StartContext): Promise<void> {
  const { program, system, args, cwd, env } = start.plan;
  start.program = system
    ? await findSystemProgram(system, env.PATH ?? '')
    : await findProgram(program, { cwd, searchPath: env.PATH ?? '' });
  const isInstalled = start.rules.definition.install !== undefined;
  if (isJava(program)) await requireJar(args, { cwd, isInstalled });
}

/** Without a record, the next supervisor would start a second process beside this one, so the record is written first. */
async function announce(start: StartContext): Promise<void> {
  start.mark = randomUUID();
  start.linesBefore = start.options.services.console.lineNumber();
  await start.options.record.announce(start.mark);
}

async function spawn(start: StartContext): Promise<void> {
  const { plan, program, mark, user, terminalSize: size } = start;
  const { record, services } = start.options;
  const lines = new LineFeed(logPrefixOf(start.rules.definition));
  const onData = (bytes: Buffer) => {
    services.console.append(bytes);
    lines.push(bytes);
  };
  const { cwd, env } = plan;
  const isWindows = process.platform === 'win32';
  const hold = await holdOf(start);
  const command = { program, args: plan.args, env };
  try {
    const prepared = isWindows ? command : preparedCommand(command, { mark, user });
    start.pty = spawnPty({ command: { ...prepared, cwd }, mark, size, hold, onData });
    start.lines = lines;
  } catch (error) {
    if (hold) closeTerminalPipes(hold.pipes);
    await record
      .endOrphan({ graceMs: services.stopGraceMs(), notice: () => undefined })
      .catch((cause: unknown) =>
        services.log('warn', 'the record of a failed start could not be removed', { error: cause }),
      );
    throw error;
  }
}

/** Linux only: elsewhere a terminal ends with this process. If the pipes cannot be created, the game starts all the same. */
async function holdOf(start: StartContext): Promise<PtyOptions['hold']> {
  if (process.platform !== 'linux') return undefined;
  const { settings, services } = start.options;
  const { home, log } = services;
  const { id } = settings.current;
  try {
    return {
      pipes: await createTerminalPipes(home.terminalPipes(id)),
      log: services.console,
      label: [home.root, id],
      onLost: () => start.game.terminalLost(),
    };
  } catch (error) {
    log('warn', 'the terminal will end with this process', { error });
    return undefined;
  }
}

/** Like the next step, in the same turn as the spawn, so that no line of output is missed. */
function control(start: StartContext): void {
  const { pty, plan, mark, linesBefore, address, lines, options } = start;
  const { stopCommands } = start.rules;
  start.game = createGameProcess({
    ...{ pty, plan, mark, linesBefore, address, lines, stopCommands },
    services: options.services,
  });
}

function watch(start: StartContext): void {
  const { game, pty, mark, linesBefore, plan, address, rules, options, onReady } = start;
  const { record, services } = options;
  start.run = watchGame(game, {
    rules,
    record,
    recorded: {
      pid: game.pid,
      mark,
      startedAt: game.startedAt,
      ...(game.startedMonotonicMs !== undefined && { startedMonotonicMs: game.startedMonotonicMs }),
      ready: false,
      linesBefore,
      keepsRunning: plan.keepsRunning,
      ...(pty.held && { terminal: pty.held }),
      host: address.host,
      port: address.port,
      rconPort: address.rcon?.port ?? null,
      provisioned: start.provisioned ?? {},
      startedWith: start.startedWith,
    },
    log: services.log,
    onReady,
  });
  adviseOnJava(game.lines, (text) => services.console.appendNotice(text));
}
