import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { HandedOver } from '../../../shared/contract/supervisor-boot.ts';
import type { SystemUser } from '../../../shared/node/processes/system-user.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { GameAddress, GameProcess, GameServices } from '../game/game-process.ts';
import type { GameRecord } from '../game/game-record.ts';
import type { GameRules } from '../game/game-rules.ts';
import type { LineFeed } from '../game/line-feed.ts';
import type { GameRun } from '../game/watch-game.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { PortLease } from '../ports/port-lease.ts';
import type { SettledPort } from '../ports/settle-ports.ts';
import type { PtyProcess } from '../process/pty.ts';
import type { TerminalSize } from '../process/terminal-holder.ts';
import type { GameSettings } from '../properties/game-settings.ts';
import type { InstanceProperties } from '../properties/instance-properties.ts';
import type { PropertiesFile } from '../properties/properties-file.ts';
import type { Upstream } from '../upstream.ts';
import type { LaunchPlan } from './launch-plan.ts';
import type { NotedSettings } from './settings-at-start.ts';

/** What every start of an instance needs. */
export interface StartOptions {
  settings: InstanceSettings;
  folder: {
    properties: Pick<InstanceProperties, 'settle' | 'prepare'>;
    ports: Pick<PortLease, 'take' | 'suggest'>;
    /** Resolves once the port of a sleeping server is free for the game. */
    freePort(): Promise<void>;
  };
  provision: Upstream['provision'];
  embedded: (entry: string) => string;
  record: GameRecord;
  /** Set if the former supervisor has left its game to this one. */
  handedOver?: HandedOver | undefined;
  services: GameServices;
}

/** One start: its inputs, and the results of its steps, in their order (start-steps.ts). */
export class StartContext {
  readonly options: StartOptions;
  /** The terminal's first size; `undefined` for the default. */
  readonly terminalSize: TerminalSize | undefined;
  readonly onReady: () => void;

  rules!: GameRules;
  /** The configuration with which the process is launched; later changes wait for the next start. */
  config!: InstanceConfig;
  /** The user that the game runs as, if that is another than ours. */
  user: SystemUser | undefined;
  file!: PropertiesFile;
  gameSettings!: GameSettings;
  ports!: SettledPort[];
  address!: GameAddress;
  /** Set beforehand for a restart after a crash, which must not depend on other processes. */
  provisioned: Provisioned | undefined;
  /** Fires when a stop cancels the start. Set while PROVISIONING runs. */
  calledOff!: AbortSignal;
  plan!: LaunchPlan;
  startedWith!: NotedSettings;
  program!: string;
  mark!: string;
  linesBefore!: number;
  pty!: PtyProcess;
  lines!: LineFeed;
  game!: GameProcess;
  run!: GameRun;

  constructor(
    options: StartOptions,
    {
      terminalSize,
      provisioned,
      onReady,
    }: Pick<StartContext, 'terminalSize' | 'onReady'> & { provisioned?: Provisioned | undefined },
  ) {
    this.options = options;
    this.terminalSize = terminalSize;
    this.provisioned = provisioned;
    this.onReady = onReady;
  }
}
