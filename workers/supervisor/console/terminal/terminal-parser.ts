import { Utf8Decoder } from './utf8-decoder.ts';

const BEL = 0x07;
const TAB = 0x09;
const ESC = 0x1b;
const DEL = 0x7f;
const STRING_TERMINATOR = 0x9c;

/** In characters. No terminal defines sequences with more parameters. */
const LONGEST_PARAMETERS = 64;

/** The parts of a program's output. */
export interface TerminalHandler {
  /** A printable character, or a tab. */
  print(code: number): void;
  /** Another control character, such as CR. */
  control(code: number): void;
  /** `ESC [ parameters final`, except private sequences. */
  sequence(final: string, parameters: string): void;
  /** `ESC` and one character. */
  escape(character: string): void;
}

type State = 'text' | 'escape' | 'charset' | 'sequence' | 'string' | 'string escape';

/**
 * Parses a terminal's byte stream (https://vt100.net/emu/dec_ansi_parser), in pieces of any length. Leaves out what does not concern the
 * text of a line: strings such as window titles, character sets, private modes.
 */
export class TerminalParser {
  readonly #handler: TerminalHandler;
  readonly #decoder = new Utf8Decoder();
  #state: State = 'text';
  #parameters = '';

  constructor(handler: TerminalHandler) {
    this.#handler = handler;
  }

  /** False inside a sequence or a character. */
  get isIdle(): boolean {
    return this.#state === 'text' && !this.#decoder.isInside;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#decoder.push(byte, this.#take);
    }
  }

  /** Ends the stream: an incomplete character becomes U+FFFD. */
  end(): void {
    this.#decoder.end(this.#take);
  }

  #take = (code: number): void => {
    switch (this.#state) {
      case 'text':
        this.#takeText(code);
        break;
      case 'escape':
        this.#takeEscape(code);
        break;
      case 'charset':
        this.#state = 'text';
        break;
      case 'sequence':
        this.#takeSequence(code);
        break;
      case 'string':
        if (code === BEL || code === STRING_TERMINATOR) {
          this.#state = 'text';
        } else if (code === ESC) {
          this.#state = 'string escape';
        }
        break;
      case 'string escape':
        this.#state = 'text';
        if (code !== 0x5c) {
          this.#takeEscape(code);
        }
        break;
    }
  };

  #takeText(code: number): void {
    if (code >= 0xa0 || (code >= 0x20 && code < DEL) || code === TAB) {
      this.#handler.print(code);
    } else if (code === ESC) {
      this.#state = 'escape';
    } else if (code > DEL) {
      this.#takeEscape(code - 0x40); // C1: short for ESC and a letter
    } else {
      this.#handler.control(code);
    }
  }

  #takeEscape(code: number): void {
    const character = String.fromCharCode(code);
    if (character === '[') {
      this.#state = 'sequence';
      this.#parameters = '';
    } else if (']PX^_'.includes(character)) {
      this.#state = 'string';
    } else if ('()*+#%'.includes(character)) {
      this.#state = 'charset';
    } else {
      this.#state = 'text';
      this.#handler.escape(character);
    }
  }

  #takeSequence(code: number): void {
    if (code >= 0x20 && code <= 0x3f) {
      if (this.#parameters.length < LONGEST_PARAMETERS) {
        this.#parameters += String.fromCharCode(code);
      }
      return;
    }
    this.#state = code === ESC ? 'escape' : 'text';
    if (code >= 0x40 && code <= 0x7e && /^[0-9;:]*$/.test(this.#parameters)) {
      this.#handler.sequence(String.fromCharCode(code), this.#parameters);
    }
  }
}
