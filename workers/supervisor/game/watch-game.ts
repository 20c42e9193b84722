import type { Log } from '../own-process/process-log.ts';
import type { GameExit, GameProcess } from './game-process.ts';
import { type GameRecord, keepRecord, type RecordedGame } from './game-record.ts';
import type { GameRules } from './game-rules.ts';
import { whenReady } from './readiness.ts';

export type GameEnd = GameExit & { wasReady: boolean };

/** Returns how a process ended, in words. Only the supervisor that started it knows. */
export function howItEnded({ exitCode, signal }: GameEnd): string {
  if (signal === null && exitCode === null) return '';
  return ` (${signal ?? `exit code ${exitCode}`})`;
}

/** A game process that is watched until its end. */
export interface GameRun {
  game: GameProcess;
  rules: GameRules;
  /** What a later supervisor would know of it. */
  readonly onRecord: Readonly<RecordedGame>;
  /** Changes what is on record. Resolves like `KeptRecord.update`. */
  note(change: Partial<RecordedGame>): Promise<void>;
  /** Resolves once a later supervisor would find the game: by its process, or by its mark while the record cannot be written. */
  recorded: Promise<void>;
  /** Never rejects. */
  end: Promise<GameEnd>;
}

export interface WatchOptions {
  rules: GameRules;
  record: GameRecord;
  recorded: RecordedGame;
  log: Log;
  /** Called when players can join, unless the game was ready before. */
  onReady: () => void;
}

/** Keeps the game's record and notices when the game is ready and when it ends. */
export function watchGame(game: GameProcess, options: WatchOptions): GameRun {
  const { rules, record, log, onReady } = options;
  const over = new AbortController();
  let onRecord: Readonly<RecordedGame> = options.recorded;
  const kept = keepRecord(() => record.write(onRecord), log);
  const recorded = kept.update();
  const note = (change: Partial<RecordedGame>) => {
    onRecord = { ...onRecord, ...change };
    return kept.update();
  };
  const onLooked = (isReady: boolean) => {
    if (!isReady) return;
    game.markReady();
    // Recorded first: the next supervisor must know that viewers have seen the server ready.
    void note({ ready: true }).then(onReady);
  };
  if (!onRecord.ready) void whenReady(game, rules, over.signal).then(onLooked);
  const end = game.exited.then(async (exit) => {
    over.abort();
    await kept.end();
    await record
      .clear()
      .catch((error: unknown) => log('warn', 'the record of an ended game could not be removed', { error }));
    return { ...exit, wasReady: onRecord.ready };
  });
  return {
    ...{ game, rules, recorded, end, note },
    get onRecord() {
      return onRecord;
    },
  };
}
