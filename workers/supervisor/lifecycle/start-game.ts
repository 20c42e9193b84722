import type { Provisioned } from '../../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { adviseOnJava } from '../crash/wrong-java.ts';
import { leftFolder } from '../folder/left-folder.ts';
import type { PreparedFolder } from '../folder/prepare-folder.ts';
import type { GameServices } from '../game/game-process.ts';
import type { GameRecord, OrphanedGame } from '../game/game-record.ts';
import { type GameRules, rulesOf } from '../game/game-rules.ts';
import { recoverGame } from '../game/recovered-game.ts';
import { type GameRun, watchGame } from '../game/watch-game.ts';
import type { Log } from '../own-process/process-log.ts';
import type { TerminalSize } from '../process/pty.ts';
import type { RconTally } from '../rcon/tally.ts';
import { needsProvisioning } from './launch-plan.ts';
import { runGame } from './run-game.ts';

/** Lines kept with each crash, to find its reason in; a server that was taken over begins with as many. */
export const LAST_LINES = 50;

export interface LauncherOptions {
  config: () => InstanceConfig;
  console: {
    append(bytes: Buffer): void;
    /** Says something of ours. */
    notice: (text: string) => void;
    /** The last lines, plain and redacted, oldest first. */
    lastLines(count: number): Promise<string[]>;
    /** Hides these from now on. */
    hideSecrets(secrets: readonly string[]): void;
    redact(text: string): string;
  };
  /** Has software and runtime put in place. */
  provision: (signal: AbortSignal) => AsyncIterable<{ progress: string } | { done: Provisioned }>;
  /** Absolute path of a server that ships with us. */
  embedded: (entry: string) => string;
  /** Does to the folder what a start needs, and has its ports. Throws what stands in the way of a start. */
  prepareFolder: () => Promise<PreparedFolder>;
  record: GameRecord;
  rconTally: RconTally;
  stopGraceMs: number;
  log: Log;
}

/** What goes from the acceptance of a start to the launch. */
export interface Preparation {
  rules: GameRules;
  folder: PreparedFolder;
  /** Whether software or Java have to be put in place first. */
  needsProvisioning: boolean;
}

/** The ways to a game that runs: step by step to a new one, or to one that a supervisor before has left. */
export class Launcher {
  readonly #options: LauncherOptions;
  /** From the last start: a restart after a crash must not depend on anybody. */
  #provisioned: Provisioned = {};

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  /** What the last game was launched on; null: no Java of ours. */
  get javaProgram(): string | null {
    return this.#provisioned.java ?? null;
  }

  /** Does to the folder what a start needs. Throws what stands in its way. */
  async prepare(): Promise<Preparation> {
    const { config, prepareFolder, console } = this.#options;
    // Before the folder: a kind that is no longer known has nothing to be prepared for.
    const rules = rulesOf(config());
    const folder = await prepareFolder();
    console.hideSecrets(folder.secrets);
    return { rules, folder, needsProvisioning: needsProvisioning(config(), rules) };
  }

  /** Has software and Java put in place, and says in the console how far that is. */
  async provision(signal: AbortSignal): Promise<Provisioned> {
    for await (const step of this.#options.provision(signal)) {
      if ('done' in step) return step.done;
      this.#options.console.notice(step.progress);
    }
    throw new GamekeeperError('worker_unavailable', 'The installation ended without a result.');
  }

  /** Starts a game on `provisioned`, or where that is left out on what the one before ran on. */
  async launch(
    { rules, folder }: Preparation,
    {
      provisioned = this.#provisioned,
      terminalSize,
      onReady,
    }: { provisioned?: Provisioned; terminalSize: TerminalSize | undefined; onReady: () => void },
  ): Promise<GameRun> {
    const { config, console, embedded, record, log } = this.#options;
    this.#provisioned = provisioned;
    const run = await runGame({
      config: config(),
      rules,
      folder,
      provisioned,
      embedded,
      record,
      log,
      terminalSize,
      services: this.#services(),
      onReady,
    });
    adviseOnJava(run.game.lines, console.notice);
    return run;
  }

  /** Looks after a game that goes on without the supervisor that started it, as well as that can be. */
  async takeOver(left: OrphanedGame, { onReady }: { onReady: () => void }): Promise<GameRun> {
    const { config, console, record, log } = this.#options;
    const rules = rulesOf(config());
    const folder = await leftFolder(left, { config: config(), rules });
    console.hideSecrets(folder.secrets);
    const lastLines = await console.lastLines(LAST_LINES).catch(() => []); // then only what comes from now on is shown
    const commands = folder.rcon ? 'commands go over RCON' : 'no commands can be given, since it has no RCON';
    console.notice(
      `The process that supervised the server was lost; the server goes on. Until its next start this shows logs/latest.log, and ${commands}.`,
    );
    const game = recoverGame({
      orphan: left,
      address: folder,
      directory: config().directory,
      env: config().env,
      lastLines,
      services: this.#services(),
    });
    this.#provisioned = left.provisioned;
    return watchGame(game, { rules, recorded: left, record, log, onReady });
  }

  #services(): GameServices {
    const { console, rconTally, stopGraceMs, log } = this.#options;
    return { console, rconTally, stopGraceMs, log };
  }
}
