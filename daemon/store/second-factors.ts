import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './transaction.ts';

/** The secret of a user's authenticator app, base32. */
export interface TotpSecret {
  secret: string;
  /** False until the user has entered a code. Until then it has no effect. */
  confirmed: boolean;
}

/**
 * Secrets of authenticator apps, and hashes of recovery codes. When a method returns, the used code is on disk, so it counts only once,
 * even after a crash or with two requests at the same time.
 */
export interface SecondFactorTable {
  totp(username: string): TotpSecret | null;
  /** Replaces the secret by a new one that is not confirmed yet. */
  setTotp(username: string, secret: string): void;
  confirmTotp(username: string, secret: string): void;
  /** Uses up a time step and all steps before it. Returns false if it was used already. */
  useStep(username: string, step: number): boolean;
  /** Removes the secret and the recovery codes. */
  remove(username: string): void;
  /** Replaces all recovery codes. */
  setRecoveryCodes(username: string, hashes: readonly string[]): void;
  recoveryCodes(username: string): number;
  /** Uses up a code. Returns false if no unused code has this hash. */
  useRecoveryCode(username: string, hash: string): boolean;
}

export function createSecondFactorTable(database: DatabaseSync): SecondFactorTable {
  const totp = database.prepare('SELECT secret, confirmed FROM totp WHERE username = ?');
  const setTotp = database.prepare('INSERT OR REPLACE INTO totp (username, secret) VALUES (?, ?)');
  const confirmTotp = database.prepare('UPDATE totp SET confirmed = 1 WHERE username = ? AND secret = ?');
  const useStep = database.prepare('UPDATE totp SET last_step = ? WHERE username = ? AND last_step < ?');
  const removeTotp = database.prepare('DELETE FROM totp WHERE username = ?');
  const addCode = database.prepare('INSERT INTO recovery_codes (username, hash) VALUES (?, ?)');
  const countCodes = database.prepare('SELECT count(*) AS codes FROM recovery_codes WHERE username = ?');
  const useCode = database.prepare('DELETE FROM recovery_codes WHERE username = ? AND hash = ?');
  const removeCodes = database.prepare('DELETE FROM recovery_codes WHERE username = ?');
  return {
    totp(username) {
      const row = totp.get(username);
      return row ? { secret: String(row.secret), confirmed: row.confirmed === 1 } : null;
    },
    setTotp: (username, secret) => void setTotp.run(username, secret),
    confirmTotp: (username, secret) => void confirmTotp.run(username, secret),
    useStep: (username, step) => useStep.run(step, username, step).changes === 1,
    remove: (username) =>
      inTransaction(database, () => {
        removeTotp.run(username);
        removeCodes.run(username);
      }),
    setRecoveryCodes: (username, hashes) =>
      inTransaction(database, () => {
        removeCodes.run(username);
        for (const hash of hashes) addCode.run(username, hash);
      }),
    recoveryCodes: (username) => Number(countCodes.get(username)?.codes),
    useRecoveryCode: (username, hash) => useCode.run(username, hash).changes === 1,
  };
}
