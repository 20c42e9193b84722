import path from 'node:path';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import { heapMb } from '../../../shared/domain/java/heap.ts';
import { softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { fillPlaceholders, placeholderValues, type Values } from '../../../shared/domain/software/placeholders.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { SystemUser } from '../../../shared/node/processes/system-user.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { environmentFor, gameEnvironment } from '../game/game-environment.ts';
import type { GameRules } from '../game/game-rules.ts';

/** The program to execute, with its folder and environment. */
export interface LaunchPlan {
  /** An absolute path, a path relative to `cwd`, or a name on the PATH of `env`. */
  program: string;
  /** In place of `program`: a program of the machine. */
  system?: { names: readonly string[]; missing: string };
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** True for a program that survives the loss of its terminal, like a JVM that is started with SIGHUP ignored. */
  keepsRunning: boolean;
}

export interface LaunchInput {
  config: InstanceConfig;
  rules: GameRules;
  port: number;
  /** The other ports of the kind, by name. */
  ports: Readonly<Record<string, number>>;
  /** The kind's channel for commands, if it has one. */
  rcon?: { port: number; password: string } | undefined;
  provisioned: Provisioned;
  environment: NodeJS.ProcessEnv;
  /** The user that the game runs as, if that is another than ours. */
  user?: Pick<SystemUser, 'name'> | undefined;
  /** Our own Node, and the path of a server that ships with us and runs on it. */
  bundled: { node: string; embedded: (entry: string) => string };
}

/** Returns true if jobs has to install something before the launch, or to check that it is installed. */
export function needsProvisioning(config: InstanceConfig, rules: GameRules): boolean {
  const { install, java } = rules.definition;
  return install !== undefined || java !== undefined || config.javaVersion !== undefined;
}

/** Returns how to launch an instance. Throws `launch_failed` if something is missing. */
export function planLaunch(input: LaunchInput): LaunchPlan {
  const { config, provisioned, rules } = input;
  const { launch, survivesHangup } = rules.definition;
  const values = placeholderValues(rules.definition, config, input);
  const own = 'env' in launch ? filledIn(launch.env, values) : {};
  const inherited = input.user ? environmentFor(input.user, config.directory, input.environment) : input.environment;
  const env = withJava(gameEnvironment(inherited, { ...own, ...config.env }), provisioned.java);
  const start = command(input, values);
  const survives = survivesHangup ?? (launch.type === 'java' || isJava(start.program));
  return { ...start, cwd: config.directory, env, keepsRunning: process.platform !== 'win32' && survives };
}

/** Returns true if an instance's program is Java. Of a start script, only an own `javaVersion` shows it. */
export function runsOnJava({ software, launch, javaVersion }: InstanceConfig): boolean {
  const rule = softwareOf(software)?.launch.type;
  const [program] = rule === 'program' ? (launch?.command ?? []) : [];
  return rule === 'java' || javaVersion !== undefined || (program !== undefined && isJava(program));
}

/** A start script does not count: it ends with the terminal, and its Java with it. */
export function isJava(program: string): boolean {
  return path.basename(program) === 'java';
}

function filledIn(env: Readonly<Record<string, string>>, values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillPlaceholders(value, values)]));
}

function command(
  { config, rules: { definition }, provisioned, bundled }: LaunchInput,
  values: Values,
): Pick<LaunchPlan, 'program' | 'system' | 'args'> {
  const { launch, install } = definition;
  const fill = (args: readonly string[]) => args.map((arg) => fillPlaceholders(arg, values));
  switch (launch.type) {
    case 'program': {
      const [program, ...args] = config.launch?.command ?? [];
      if (program === undefined)
        throw new GamekeeperError('launch_failed', 'The instance has no launch command.', {
          resolution: 'Set launch, for example { "command": ["./server", "--flag"] }.',
        });
      // Nothing else is filled in: owners use braces for other things.
      return { program, args: args.map((arg) => arg.replaceAll('{port}', values.port!)) };
    }
    case 'embedded':
      return { program: bundled.node, args: [bundled.embedded(launch.entry), ...launch.args] };
    case 'java': {
      const { java, javaOptions: options = [], start } = provisioned;
      if (java === undefined || start === undefined)
        throw new GamekeeperError(
          'launch_failed',
          'There is no Java runtime for the instance, or no server program for it.',
        );
      return { program: java, args: [...options, `-Xmx${heapMb(config.memoryMb)}M`, ...start, ...fill(launch.args)] };
    }
    case 'installed': {
      const present = launch.program[process.platform];
      // Without an installation, the owner has put the program there.
      const program =
        provisioned.program ?? (install || !present ? undefined : programIn(config.directory, present, values));
      if (program === undefined) throw new GamekeeperError('launch_failed', "The instance's program is not installed.");
      return { program, args: fill(launch.args) };
    }
    case 'system': {
      const { program: names, missing } = launch;
      return { program: names[0]!, system: { names, missing }, args: fill(launch.args) };
    }
  }
}

/** Variables can be part of its name, but cannot lead out of the folder. */
function programIn(directory: string, template: string, values: Values): string {
  const name = fillPlaceholders(template, values);
  const program = path.join(directory, name);
  if (program.startsWith(directory + path.sep)) return program;
  throw new GamekeeperError('launch_failed', `${name} is not in the server's folder.`, {
    resolution: 'Correct the variables that its name has.',
  });
}

/** Start scripts find Java by PATH or JAVA_HOME, so ours must come before the system's. */
function withJava(env: Record<string, string>, java: string | undefined): Record<string, string> {
  if (java === undefined) return env;
  const bin = path.dirname(java);
  return { ...env, JAVA_HOME: path.dirname(bin), PATH: [bin, env.PATH].filter(Boolean).join(path.delimiter) };
}
