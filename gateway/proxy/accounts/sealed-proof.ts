import type { Vault } from '../store/vault.ts';

/** What somebody has just proven, kept by the browser between two forms so that the server keeps nothing. */
export interface SealedProofs<Proven> {
  seal(proven: Proven): string;
  /** Returns `undefined` for what was not sealed here, or too long ago. */
  open(sealed: string): Proven | undefined;
}

export interface SealedProofOptions {
  vault: Vault;
  /** Names the form: a proof for one cannot be sent with another. */
  context: string;
  /** How long the person may take for the next form. Milliseconds. */
  withinMs: number;
  /** Milliseconds. */
  now: () => number;
}

export function createSealedProofs<Proven>({
  vault,
  context,
  withinMs,
  now,
}: SealedProofOptions): SealedProofs<Proven> {
  return {
    seal: (proven) => vault.seal(JSON.stringify({ proven, until: now() + withinMs }), context),
    open(sealed) {
      try {
        const { proven, until } = JSON.parse(vault.open(sealed, context)) as { proven: Proven; until: number };
        return now() < until ? proven : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
