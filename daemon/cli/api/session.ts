import path from 'node:path';
import type { Command } from 'commander';
import { defaultHome, type Home, homeAt } from '../../../shared/node/files/home.ts';
import { type Api, createApi } from './api-client.ts';

/** What a command works with: whose Gamekeeper, and how to answer. */
export interface Session {
  home: Home;
  api: Api;
  /** One JSON document on stdout and nothing else. */
  json: boolean;
  /** True when a person is looking: then long work shows how far it is. */
  interactive: boolean;
  /** Answers: the document where JSON is wanted, else what `words` makes of it. */
  answer<T>(document: T, words: (document: T) => string): void;
  /** Tells the person something that is not the answer. Silent where JSON is wanted. */
  note(text: string): void;
}

/** The options that every command takes. */
export function withCommonOptions(command: Command): Command {
  const parents = command.parent?.parent ? `${command.parent.name()} ` : '';
  return command
    .showHelpAfterError(`Try: gamekeeper ${parents}${command.name()} --help`)
    .option('--json', 'answer with one JSON document')
    .option('--home <folder>', "Gamekeeper's data directory (default: $GAMEKEEPER_HOME, else your user's own)");
}

/** The session of a command that is being run. */
export function sessionOf(command: Command): Session {
  const { home: folder, json = false } = command.optsWithGlobals<{ home?: string; json?: boolean }>();
  const home = homeAt(folder === undefined ? defaultHome(process.env) : path.resolve(folder));
  return {
    home,
    api: createApi(home),
    json,
    interactive: !json && process.stdout.isTTY && process.env.CI === undefined,
    answer: (document, words) => void process.stdout.write(`${json ? JSON.stringify(document) : words(document)}\n`),
    note: (text) => void (json || process.stderr.write(`${text}\n`)),
  };
}
