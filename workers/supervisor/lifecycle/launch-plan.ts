import path from 'node:path';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import { heapMb } from '../../../shared/domain/java/heap.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { gameEnvironment } from '../game/game-environment.ts';
import type { GameRules } from '../game/game-rules.ts';

/** The program to execute, with its folder and environment. */
export interface LaunchPlan {
  /** An absolute path, a path relative to `cwd`, or a name on the PATH of `env`. */
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** True for a program that survives the loss of its terminal: a JVM that is started with SIGHUP ignored. */
  keepsRunning: boolean;
}

export interface LaunchInput {
  config: InstanceConfig;
  rules: GameRules;
  port: number;
  provisioned: Provisioned;
  environment: NodeJS.ProcessEnv;
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
  const { config, provisioned } = input;
  const env = withJava(gameEnvironment(input.environment, config.env), provisioned.java);
  const { launch } = input.rules.definition;
  const softwareEnv = launch.type === 'installed' ? launch.env : {};
  const start = command(input);
  const keepsRunning = process.platform !== 'win32' && (launch.type === 'java' || isJava(start.program));
  return { ...start, cwd: config.directory, env: { ...softwareEnv, ...env }, keepsRunning };
}

/** A start script does not count: it ends with the terminal, and its Java with it. */
function isJava(program: string): boolean {
  return path.basename(program) === 'java';
}

function command({ config, rules, port, provisioned, bundled }: LaunchInput): Pick<LaunchPlan, 'program' | 'args'> {
  const { launch } = rules.definition;
  switch (launch.type) {
    case 'program': {
      const [program, ...args] = config.launch?.command ?? [];
      if (program === undefined)
        throw new GamekeeperError('launch_failed', 'The instance has no launch command.', {
          resolution: 'Set launch, for example { "command": ["./server", "--flag"] }.',
        });
      return { program, args };
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
      const args = launch.args.map((arg) => arg.replaceAll('{port}', String(port)));
      return { program: java, args: [...options, `-Xmx${heapMb(config.memoryMb)}M`, ...start, ...args] };
    }
    case 'installed':
      if (provisioned.program === undefined)
        throw new GamekeeperError('launch_failed', "The instance's program is not installed.");
      return { program: provisioned.program, args: [...launch.args] };
  }
}

/** Start scripts find Java by PATH or JAVA_HOME, so ours must come before the system's. */
function withJava(env: Record<string, string>, java: string | undefined): Record<string, string> {
  if (java === undefined) return env;
  const bin = path.dirname(java);
  return { ...env, JAVA_HOME: path.dirname(bin), PATH: [bin, env.PATH].filter(Boolean).join(path.delimiter) };
}
