import stripAnsi from 'strip-ansi';
import type { Delivery } from './game-commands.ts';
import type { GameProcess } from './game-process.ts';
import { linesAfterTyping } from './typed-command.ts';

/** An answer, redacted. */
export interface Answer {
  via: Delivery['via'];
  text: string;
  /** Without log prefixes. */
  messages: string;
  /** Those which the server itself has printed, if it prints log prefixes. */
  ownMessages: readonly string[];
}

export interface AskOptions {
  /** The longest time that the command may take. */
  timeoutMs: number;
  redact: (text: string) => string;
}

/** Sends a command and returns its answer: over RCON, or the next lines of the console. Throws as `GameCommands.send` does. */
export async function askGame(game: GameProcess, line: string, { timeoutMs, redact }: AskOptions): Promise<Answer> {
  const delivery = await game.commands.send(line, { timeoutMs });
  const { via } = delivery;
  if (via === 'rcon') {
    const text = redact(delivery.answer);
    return { via, text, messages: text, ownMessages: text.split('\n') };
  }
  // In the same turn as the typing, so no output has arrived yet.
  const printed = (await linesAfterTyping(game, line)).map(({ text, message, prefixed }) => ({
    text: redact(text),
    message: redact(message),
    isOwn: prefixed || !game.lines.prefixSeen,
  }));
  return {
    via,
    text: printed.map(({ text }) => text).join('\n'),
    messages: printed.map(({ message }) => message).join('\n'),
    ownMessages: printed.flatMap(({ isOwn, message }) => (isOwn ? [message] : [])),
  };
}

/** Returns the lines of an answer without colours and formatting, which plugins add. */
export function plainLines(answer: string): string[] {
  return stripAnsi(answer).replace(FORMATTING, '').split('\n');
}

const FORMATTING = /\u00a7./g;
