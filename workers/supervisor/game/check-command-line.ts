import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** UTF-8 bytes that vanilla's RCON takes in one command (field-notes 3.1). */
const LONGEST_COMMAND_BYTES = 1_446;
/** C0, DEL and C1: a line end would smuggle in a second command, others are keys to a line editor or the terminal itself. */
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** Throws `invalid_request` for what is not one line that a console can take. */
export function checkCommandLine(line: string): void {
  if (line.trim() === '') throw new GamekeeperError('invalid_request', 'command: must not be empty.');
  if (CONTROL.test(line)) throw new GamekeeperError('invalid_request', 'command: must not hold control characters.');
  if (Buffer.byteLength(line) > LONGEST_COMMAND_BYTES)
    throw new GamekeeperError('invalid_request', `command: must be at most ${LONGEST_COMMAND_BYTES} bytes of UTF-8.`);
}
