import path from 'node:path';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import { heapMb } from '../../../shared/domain/heap.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { gameEnvironment } from '../game/game-environment.ts';
import type { GameRules } from '../game/game-rules.ts';

/** What is to be executed, where, and with what around it. */
export interface LaunchPlan {
  /** Absolute, relative to `cwd`, or to be found on the PATH of `env`. */
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Goes on when the terminal goes away, as a JVM does that was started with SIGHUP ignored. */
  keepsRunning: boolean;
}

export interface LaunchInput {
  config: InstanceConfig;
  rules: GameRules;
  /** What the folder was prepared for. */
  port: number;
  /** What `jobs` has put in place. */
  provisioned: Provisioned;
  /** Our own environment. */
  environment: NodeJS.ProcessEnv;
  /** Absolute path of a server that ships with us, given as below `dist/`. */
  embedded: (entry: string) => string;
  /** The Node that runs us, for what ships with us. */
  node: string;
}

/** True when `jobs` has to put something in place before the launch. */
export function needsProvisioning(config: InstanceConfig, rules: GameRules): boolean {
  const { install, java } = rules.definition;
  return install !== undefined || java !== undefined || config.javaVersion !== undefined;
}

/** Works out how an instance is launched. Throws `launch_failed` when something is missing for that. */
export function planLaunch(input: LaunchInput): LaunchPlan {
  const { config, provisioned } = input;
  const env = withJava(gameEnvironment(input.environment, config.env), provisioned.java);
  const { launch } = input.rules.definition;
  const own = launch.type === 'installed' ? launch.env : {};
  const start = command(input);
  const keepsRunning = process.platform !== 'win32' && (launch.type === 'java' || isJava(start.program));
  return { ...start, cwd: config.directory, env: { ...own, ...env }, keepsRunning };
}

/** A start script is not asked: it would itself end with the terminal, and take its Java along. */
function isJava(program: string): boolean {
  return path.basename(program) === 'java';
}

function command({
  config,
  rules,
  port,
  provisioned,
  embedded,
  node,
}: LaunchInput): Pick<LaunchPlan, 'program' | 'args'> {
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
      return { program: node, args: [embedded(launch.entry), ...launch.args] };
    case 'java': {
      const { java, javaOptions: options = [], start } = provisioned;
      if (java === undefined || start === undefined)
        throw new GamekeeperError(
          'launch_failed',
          'There is no Java runtime for the instance, or nothing to run on it.',
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

/** Start scripts find their Java by PATH or JAVA_HOME; ours must come before the machine's own. */
function withJava(env: Record<string, string>, java: string | undefined): Record<string, string> {
  if (java === undefined) return env;
  const bin = path.dirname(java);
  return { ...env, JAVA_HOME: path.dirname(bin), PATH: [bin, env.PATH].filter(Boolean).join(path.delimiter) };
}
