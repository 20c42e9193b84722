import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/**
 * Returns the bytes of a settings file. Throws `invalid_state` for a character that ISO 8859-1 does not have: Node.js would cut it down to one
 * byte, which can be a line end or a quote.
 */
export function encodeText(text: string, encoding: 'utf8' | 'latin1', file: string): Buffer {
  const [unknown] = encoding === 'latin1' ? (/[^\0-\xff]/u.exec(text) ?? []) : [];
  if (unknown === undefined) return Buffer.from(text, encoding);
  throw new GamekeeperError('invalid_state', `${file} is not in UTF-8 and cannot hold the character "${unknown}".`, {
    resolution: 'Save the file as UTF-8, or change the value that has this character.',
  });
}
