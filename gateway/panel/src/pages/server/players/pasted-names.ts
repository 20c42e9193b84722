import type { Schemas } from '../../../api/transport/client.ts';

/** As many as one request takes. */
export const MOST_NAMES = 200;

const NAME: Readonly<Record<Edition, RegExp>> = {
  java: /^[.*-]?\w{1,16}$/,
  bedrock: /^[.*-]?\w(?:[\w ]{0,14}\w)?$/,
};

export type Edition = Schemas['Software']['edition'];

/** Returns the names in a pasted text, one per line or separated by commas, each once, and what cannot be a name. Servers ignore case. */
export function pastedNames(text: string, edition: Edition): { names: string[]; wrong: string[] } {
  const parts = text.split(/[\n,;]/).map((part) => part.trim());
  const unique = [...new Map(parts.filter((part) => part !== '').map((part) => [part.toLowerCase(), part])).values()];
  return {
    names: unique.filter((part) => NAME[edition].test(part)),
    wrong: unique.filter((part) => !NAME[edition].test(part)),
  };
}
