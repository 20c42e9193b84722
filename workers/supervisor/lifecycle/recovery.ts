import { isSecretProperty } from '../../../shared/domain/properties/known-properties.ts';
import { CRASH_LINES } from '../crash/crash-file.ts';
import {
  channelIn,
  createGameProcess,
  type GameAddress,
  type GameProcess,
  type GameServices,
  logRest,
} from '../game/game-process.ts';
import { type OrphanedGame, whenEnded } from '../game/game-record.ts';
import { type GameRules, rulesOf } from '../game/game-rules.ts';
import { LineFeed } from '../game/line-feed.ts';
import { logPrefixOf } from '../game/log-prefix.ts';
import { recoverGame, type ShownLines } from '../game/recovered-game.ts';
import { type GameRun, watchGame } from '../game/watch-game.ts';
import { onHeldTerminal, type PtyExit } from '../process/pty.ts';
import { canTake, findPosition, type RecordedTerminal, takeTerminal } from '../process/terminal-holder.ts';
import { gameSettings } from '../properties/game-settings.ts';
import { readInstanceFile } from '../properties/instance-file.ts';
import type { StartOptions } from './start-context.ts';

/** Nobody collects the exit code of a game whose supervisor is gone. */
const UNKNOWN_EXIT: PtyExit = { exitCode: null, signal: null };

/** Returns whether a game can be recovered. Throws if that cannot be checked. */
export function canRecover({ keepsRunning, terminal }: OrphanedGame): boolean {
  return keepsRunning || (terminal !== undefined && canTake(terminal));
}

/** Takes control of a game that survived its supervisor: on its terminal, or as far as possible without it. */
export async function recoverRun(orphan: OrphanedGame, options: StartOptions, onReady: () => void): Promise<GameRun> {
  const { settings, record, services } = options;
  const { current: config } = settings;
  const { console, log } = services;
  const rules = rulesOf(config);
  const password = await hideSecretsOf(options);
  const address = addressOf(orphan, { password, channel: channelIn(rules.definition) });
  const shown = await shownLines(orphan, console);
  const found = { orphan, address, shown, rules };
  const terminal = orphan.terminal && canTake(orphan.terminal) ? orphan.terminal : undefined;
  const game = terminal
    ? continueOnTerminal(terminal, { ...found, loggedSince: await linesLoggedSince(terminal, console) }, options)
    : continueWithoutTerminal(found, options);
  const run = watchGame(game, { rules, record, recorded: orphan, log, onReady });
  // What shows that it is ready, or that it stops, may be in the console without having been noticed.
  if (terminal) game.lines.push(Buffer.from(shown.ofGame.map((line) => `${line}\n`).join('')));
  return run;
}

interface FoundGame {
  orphan: OrphanedGame;
  address: GameAddress;
  shown: ShownLines;
  rules: GameRules;
}

function continueOnTerminal(
  terminal: RecordedTerminal,
  { orphan, address, shown, rules, loggedSince }: FoundGame & { loggedSince: number },
  { settings, services, handedOver }: StartOptions,
): GameProcess {
  const { console, log } = services;
  const { directory: cwd, env } = settings.current;
  const lines = new LineFeed(logPrefixOf(rules.definition));
  lines.learnFrom(shown.ofGame);
  const onData = (bytes: Buffer) => {
    console.append(bytes);
    lines.push(bytes);
  };
  const held = takeTerminal(terminal, { log: console, loggedSince, onData, onLost: () => game.terminalLost() });
  if (!handedOver)
    console.appendNotice(
      'The process that supervised this server was lost. Another one continues; the server keeps running.',
    );
  const exit = whenEnded(orphan, log).then(() => UNKNOWN_EXIT);
  const pty = onHeldTerminal(orphan, exit, held);
  const { mark, linesBefore } = orphan;
  const { stopCommands } = rules;
  const game = createGameProcess({
    ...{ pty, plan: { cwd, env }, mark, address, lines, services },
    ...{ orphan, linesBefore, stopCommands, ...(handedOver && { toldToStop: handedOver.toldToStop }) },
  });
  return game;
}

function continueWithoutTerminal(
  { orphan, address, shown }: FoundGame,
  { settings, services }: StartOptions,
): GameProcess {
  const { directory, env } = settings.current;
  const commands = address.rcon ? 'commands go over RCON' : 'commands are not possible, since it has no RCON';
  services.console.appendNotice(
    `The process that supervised this server was lost, but the server keeps running. Until its next start, the console shows logs/latest.log, and ${commands}.`,
  );
  return recoverGame({ orphan, address, directory, env, shown, services });
}

/** The output of a game that ended, or is being ended, without its supervisor. */
export interface OutputRest {
  /** Shows what is left and closes the terminal. Only the first call does. */
  end(): Promise<void>;
  /** Leaves it to another attempt. */
  leave(): void;
}

/** Shows what a game whose supervisor is gone prints at its end. */
export async function showRest(terminal: RecordedTerminal | undefined, options: StartOptions): Promise<OutputRest> {
  if (!terminal || !canTake(terminal)) return { end: async () => undefined, leave: () => undefined };
  const { console } = options.services;
  await hideSecretsOf(options);
  const loggedSince = await linesLoggedSince(terminal, console);
  const onData = (bytes: Buffer) => console.append(bytes);
  const held = takeTerminal(terminal, { log: console, loggedSince, onData, onLost: () => undefined });
  let ended: Promise<void> | undefined;
  return {
    end() {
      ended ??= held.rest().then(() => {
        logRest(console);
        held.close();
      });
      return ended;
    },
    leave: held.release,
  };
}

/** Hides the passwords of a game that another supervisor has started. Returns that of its RCON; `undefined`: unknown. */
async function hideSecretsOf({ settings, services }: StartOptions): Promise<string | undefined> {
  const { current: config } = settings;
  const { definition } = rulesOf(config);
  // If the file cannot be parsed, RCON is lost but not the game.
  const { values } = await readInstanceFile(config).catch(() => ({ values: {} }));
  const { rcon } = gameSettings({ config, definition, properties: values, password: '' });
  const secrets = Object.entries(values).flatMap(([key, value]) => (isSecretProperty(key) ? [value] : []));
  if (rcon) secrets.push(rcon.password);
  services.console.hideSecrets([...new Set(secrets)].filter((secret) => secret !== ''));
  return rcon?.password;
}

/** Returns how many lines of a game were logged after the former supervisor had last noted how far it was. */
async function linesLoggedSince(terminal: RecordedTerminal, console: GameServices['console']): Promise<number> {
  const position = findPosition(terminal);
  return position ? (await console.gameLinesAfter(position.newest)).length : 0;
}

/** Returns what the console has so far. */
async function shownLines({ linesBefore }: OrphanedGame, console: GameServices['console']): Promise<ShownLines> {
  try {
    const lastLines = await console.lastLines(CRASH_LINES);
    const ofGame = await console.gameLinesAfter(Math.max(linesBefore ?? 0, console.lineNumber() - lastLines.length));
    return { lastLines, ofGame, hasNoneOfGame: linesBefore !== undefined && ofGame.length === 0 };
  } catch {
    return { lastLines: [], ofGame: [], hasNoneOfGame: false }; // then only new lines are shown
  }
}

/** Returns the address at which the game was started. `password` is that of its file, which the game read at its start. */
function addressOf(
  { host, port, rconPort }: OrphanedGame,
  { password = '', channel }: { password: string | undefined; channel: ReturnType<typeof channelIn> },
): GameAddress {
  if (rconPort === null || password === '') return { host, port, rcon: undefined };
  return { host, port, rcon: { host, port: rconPort, password, ...channel } };
}
