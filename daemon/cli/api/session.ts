import path from 'node:path';
import type { Command } from 'commander';
import { defaultHome, type Home, homeAt } from '../../../shared/node/files/home.ts';
import { printable, printableColoured, printableDocument, printableJson } from '../terminal/printable.ts';
import { type Api, createApi } from './api-client.ts';

/** The data directory that a command works on, and how it prints its answer. */
export interface Session {
  home: Home;
  api: Api;
  /** Print one JSON document on stdout and nothing else. */
  json: boolean;
  /** A person is at the terminal: long work shows its progress. */
  interactive: boolean;
  /** Prints the answer: the document with --json, otherwise the text that `words` returns. */
  answer<T>(document: T, words: (document: T) => string): void;
  /** Prints a message to stderr, but not with --json. */
  note(text: string): void;
}

/** Adds the options that every command has. */
export function withCommonOptions(command: Command): Command {
  const parents = command.parent?.parent ? `${command.parent.name()} ` : '';
  return command
    .showHelpAfterError(`Run "gamekeeper ${parents}${command.name()} --help" for help.`)
    .option('--json', 'print one JSON document')
    .option('--home <folder>', 'data directory (default: $GAMEKEEPER_HOME, or a folder in your home directory)');
}

/** Returns the session of a running command. */
export function sessionOf(command: Command): Session {
  const { home: folder, json = false } = command.optsWithGlobals<{ home?: string; json?: boolean }>();
  const home = homeAt(folder === undefined ? defaultHome(process.env) : path.resolve(folder));
  return {
    home,
    api: createApi(home),
    json,
    interactive: !json && process.stdout.isTTY && process.env.CI === undefined,
    answer(document, words) {
      // The document may quote a game or a vendor; the words may quote another answer, and colour it.
      const text = json ? printableJson(document) : printableColoured(words(printableDocument(document)));
      process.stdout.write(`${text}\n`);
    },
    note: (text) => void (json || process.stderr.write(`${printable(text)}\n`)),
  };
}
