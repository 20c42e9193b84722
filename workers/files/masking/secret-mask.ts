import { isSecretName, isTrivial } from '../../../shared/schema/known-secrets.ts';
import { hideShapes } from './token-shapes.ts';

/** A key of properties, YAML, TOML or JSON up to its value; "API key: x" as well. Characters beyond ASCII are several bytes. */
const KEY = /(?<![\w.\x80-\xff-])([A-Za-z_\x80-\xff][\w.\x80-\xff-]{0,199})["']?[\t ]{0,64}[:=][\t ]{0,64}/g;
const VALUE = /"(?:[^"\\]|\\.)*"|'[^']*'|.+/y;
/** A value that is in the lines below: nothing, a YAML block, or the beginning of a map or list. */
const BELOW = /^(?:[|>][-+\d]*|[{[])?[\t ]*(?:#(?:[\t ].*)?)?$/;
/** A line of properties that goes on in the next one. */
const CONTINUED = /(?<!\\)\\(?:\\\\)*$/;
const IN_XML = /(<([A-Za-z_\x80-\xff][\w.\x80-\xff-]{0,199})>)([^<]{1,4096})/g;
/** `scheme://user:password@host` */
const URL_PASSWORD = /(:\/\/[^\s/:@"']{0,256}:)([^\s/@"']{1,256})(?=@)/g;
const CREDENTIALS = /\b((?:bearer|basic)[\t ]+)([\w.~+/=-]{8,})/gi;
const PEM_BEGIN = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)(.*?)(?=-----END |$)/;
const PEM_END = /-----END [A-Z ]*PRIVATE KEY-----/;

/** The lines below a key that is named like a secret. */
interface Below {
  /** Of the key. What belongs to it is further in. */
  indent: number;
  /** All that is there is the value; else keys may follow, whose values are. */
  isText: boolean;
  /** Only the next line, and those that it continues in. */
  isContinued?: boolean;
}

/** Replaces secrets in text by asterisks of the same length, line by line. Remembers what the next line belongs to. */
export class SecretMask {
  readonly #known: readonly string[];
  #below: Below | undefined;
  #isPem = false;

  /** `known` are values that are hidden wherever they are. */
  constructor(known: readonly string[]) {
    this.#known = known;
  }

  /** Takes whole lines, or pieces of one that is very long, in their order. */
  mask(text: string): string {
    let hidden = text;
    for (const secret of this.#known) hidden = hidden.replaceAll(secret, '*'.repeat(secret.length));
    return hidden.replace(/[^\r\n]+/g, (line) => this.#maskLine(line));
  }

  #maskLine(line: string): string {
    if (this.#isPem) {
      this.#isPem = !PEM_END.test(line);
      return this.#isPem ? starred(line) : line;
    }
    const [, , after] = PEM_BEGIN.exec(line) ?? [];
    if (after !== undefined) {
      this.#isPem = !PEM_END.test(line);
      return line.replace(PEM_BEGIN, (_all, begin: string, key: string) => begin + starred(key));
    }
    return hideShapes(this.#maskBelow(line), starred)
      .replace(IN_XML, (all, tag: string, name: string, value: string) => (isSecret(name) ? tag + starred(value) : all))
      .replace(URL_PASSWORD, (_all, before: string, value: string) => before + starred(value))
      .replace(CREDENTIALS, (_all, before: string, value: string) => before + starred(value));
  }

  #maskBelow(line: string): string {
    const indent = indentOf(line);
    const below = this.#below;
    const isItem = /^[\t ]*-(?:[\t ]|$)/.test(line);
    const belongs = below && (indent > below.indent || (isItem && indent === below.indent && !below.isText));
    if (!belongs) this.#below = undefined;
    if (below?.isContinued && !CONTINUED.test(line)) this.#below = undefined;
    if (belongs && (below.isText || !hasKey(line))) return starred(line);
    return this.#maskValues(line, { indent, isInside: belongs === true });
  }

  #maskValues(line: string, { indent, isInside }: { indent: number; isInside: boolean }): string {
    let out = '';
    let done = 0;
    KEY.lastIndex = 0;
    for (let found = KEY.exec(line); found; found = KEY.exec(line)) {
      const start = KEY.lastIndex;
      const isNamedSo = isSecret(found[1]!);
      if (!isNamedSo && !isInside) continue;
      const rest = line.slice(start);
      if (BELOW.test(rest)) {
        if (isNamedSo) this.#below = { indent, isText: /^[|>]/.test(rest) };
        break;
      }
      VALUE.lastIndex = start;
      const value = VALUE.exec(line)![0];
      KEY.lastIndex = start + value.length;
      if (!isNamedSo && isTrivial(value.replace(/,$/, ''))) continue;
      if (CONTINUED.test(value)) this.#below = { indent: -1, isText: true, isContinued: true };
      out += line.slice(done, start) + quoted(value);
      done = KEY.lastIndex;
    }
    return out + line.slice(done);
  }
}

/** Whether keys are named like secrets. A file has the same few keys on many lines. */
const judged = new Map<string, boolean>();
/** Beyond it, all are forgotten: a file may have any number of keys. */
const MOST_JUDGED = 4_096;

/** `name` has a character for each byte. */
function isSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const own = Buffer.from(name, 'latin1'); // not a slice, which would keep its whole line in memory
  if (judged.size >= MOST_JUDGED) judged.clear();
  const result = isSecretName(own.toString());
  judged.set(own.toString('latin1'), result);
  return result;
}

function hasKey(line: string): boolean {
  KEY.lastIndex = 0;
  return KEY.test(line);
}

function indentOf(line: string): number {
  return /^[\t ]*/.exec(line)![0].length;
}

/** Quotes stay, so that the file still looks like one of its format. */
function quoted(value: string): string {
  const quote = /^(["']).*\1$/s.exec(value)?.[1];
  return quote ? `${quote}${'*'.repeat(value.length - 2)}${quote}` : starred(value);
}

/** White space stays, so that lines look like lines. */
function starred(text: string): string {
  return text.replace(/\S(?:.*\S)?/s, (all) => '*'.repeat(all.length));
}
