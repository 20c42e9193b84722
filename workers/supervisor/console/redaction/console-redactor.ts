import { NOTICE_PREFIX } from '../../../../shared/domain/console/notice-prefix.ts';
import type { Lines } from '../terminal/line-splitter.ts';
import type { OwnerRules } from './owner-rules.ts';
import { Redactor } from './redactor.ts';

/** Shown instead of a line. */
export const NOT_SHOWN = `${NOTICE_PREFIX}A line could not be checked for personal data and is not shown.`;

/** The owner's regular expressions, which were checked for safe running time when they were saved. */
export interface OwnerRedaction {
  /** What they match is redacted as well. */
  patterns: readonly string[];
  /** What they match as a whole is not redacted. */
  exceptions: readonly string[];
}

/** Redacts one instance's console. A fault in a rule neither shows what the rule should hide nor stops the console. */
export class ConsoleRedactor {
  readonly #redactor: Redactor;
  readonly #secrets = new Set<string>();

  /** `key` is the instance's own key for pseudonyms. */
  constructor(key: Uint8Array, owner: OwnerRedaction) {
    this.#redactor = new Redactor({ key, owner: compiled(owner) });
  }

  /** Number of redactions so far. */
  get redactions(): number {
    return this.#redactor.redactions;
  }

  /** Returns the redacted lines. The buffer is valid until the next call. */
  redact({ text, count }: Lines): Buffer {
    try {
      return this.#redactor.redact(text);
    } catch {
      return Buffer.from(`${NOT_SHOWN}\r\n`.repeat(count));
    }
  }

  /** Returns the part of an unfinished line that no rule can match any more, whatever follows. */
  settled(unfinished: Buffer): Buffer {
    try {
      return this.#redactor.settled(unfinished);
    } catch {
      return Buffer.alloc(0); // the whole line is redacted when it ends
    }
  }

  /** Redacts text that is not part of the stream, such as an RCON answer. */
  redactText(text: string): string {
    return this.#redactor.redactText(text);
  }

  get secrets(): string[] {
    return [...this.#secrets];
  }

  /** Hides these secrets as well from now on. */
  hideSecrets(secrets: readonly string[]): void {
    const known = this.#secrets.size;
    for (const secret of secrets) if (secret !== '') this.#secrets.add(secret);
    if (this.#secrets.size > known) this.#redactor.hideSecrets([...this.#secrets]);
  }

  /** Replaces the owner's rules for the lines that follow. */
  setOwnerRules(owner: OwnerRedaction): void {
    this.#redactor.setOwner(compiled(owner));
  }
}

function compiled({ patterns, exceptions }: OwnerRedaction): OwnerRules {
  const compile = (sources: readonly string[]) => sources.map((source) => new RegExp(source, 'u'));
  return { patterns: compile(patterns), exceptions: compile(exceptions) };
}
