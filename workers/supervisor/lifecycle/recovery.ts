import { NOTICE_PREFIX } from '../../../shared/domain/console/notice-prefix.ts';
import { isSecretProperty } from '../../../shared/domain/properties/known-properties.ts';
import { CRASH_LINES } from '../crash/crash-file.ts';
import { channelIn, type GameAddress, type GameServices } from '../game/game-process.ts';
import type { OrphanedGame } from '../game/game-record.ts';
import { rulesOf } from '../game/game-rules.ts';
import { recoverGame, type ShownLines } from '../game/recovered-game.ts';
import { type GameRun, watchGame } from '../game/watch-game.ts';
import { gameSettings } from '../properties/game-settings.ts';
import { readInstanceFile } from '../properties/instance-file.ts';
import type { StartOptions } from './start-context.ts';

/** Takes control of a game that survived its supervisor, as far as possible without its terminal. */
export async function recoverRun(
  orphan: OrphanedGame,
  { settings: { current: config }, record, services }: StartOptions,
  onReady: () => void,
): Promise<GameRun> {
  const { console, log } = services;
  const rules = rulesOf(config);
  // If the file cannot be parsed, RCON is lost but not the game.
  const { values } = await readInstanceFile(config).catch(() => ({ values: {} }));
  const { rcon } = gameSettings({ config, definition: rules.definition, properties: values, password: '' });
  const address = addressOf(orphan, { password: rcon?.password, channel: channelIn(rules.definition) });
  const secrets = Object.entries(values).flatMap(([key, value]) => (isSecretProperty(key) ? [value] : []));
  if (address.rcon) secrets.push(address.rcon.password);
  console.hideSecrets([...new Set(secrets)].filter((secret) => secret !== ''));
  const shown = await shownLines(orphan, console);
  const commands = address.rcon ? 'commands go over RCON' : 'commands are not possible, since it has no RCON';
  console.appendNotice(
    `The process that supervised this server was lost, but the server keeps running. Until its next start, the console shows logs/latest.log, and ${commands}.`,
  );
  const { directory, env } = config;
  const game = recoverGame({ orphan, address, directory, env, shown, services });
  return watchGame(game, { rules, record, recorded: orphan, log, onReady });
}

/** Returns what the console has so far. */
async function shownLines({ linesBefore }: OrphanedGame, console: GameServices['console']): Promise<ShownLines> {
  try {
    const lastLines = await console.lastLines(CRASH_LINES);
    if (linesBefore === undefined) return { lastLines, hasNoneOfGame: false };
    const since = Math.min(console.lineNumber() - linesBefore, lastLines.length);
    const hasNoneOfGame = lastLines.slice(lastLines.length - since).every((line) => line.startsWith(NOTICE_PREFIX));
    return { lastLines, hasNoneOfGame };
  } catch {
    return { lastLines: [], hasNoneOfGame: false }; // then only new lines are shown
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
