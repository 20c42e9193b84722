import { EVERY_INSTANCE } from '../../shared/domain/access/grant.ts';
import { generatePassword } from '../../shared/node/generated-password.ts';
import { hashPassword } from '../../shared/node/passwords/password-hash.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../shared/node/processes/startup-error.ts';
import { password as passwordRules } from '../../shared/schema/credentials.ts';
import type { UserTable } from '../store/users.ts';

const FIRST_USER = 'admin';

/** The first administrator. Saved only once the daemon is ready, because the password is not shown earlier. */
export interface FirstAdmin {
  /** Shown once. Without the password if the owner chose it. */
  shown: { username: string; password?: string };
  save(): void;
}

/** Returns the password that the owner chose for the first administrator. Throws StartupError (exit status 2) if it is not allowed. */
export function chosenPassword(env: NodeJS.ProcessEnv): string | undefined {
  const chosen = env.GAMEKEEPER_ADMIN_PASSWORD;
  if (!chosen) return undefined;
  if (passwordRules.safeParse(chosen).success) return chosen;
  throw new StartupError('GAMEKEEPER_ADMIN_PASSWORD: must have 8 to 256 characters.', { exitCode: EXIT.usage });
}

/** Returns the first administrator if there is no user yet. Throws like chosenPassword. */
export async function firstAdmin(users: UserTable, env: NodeJS.ProcessEnv): Promise<FirstAdmin | undefined> {
  if (users.count() > 0) return undefined;
  const chosen = chosenPassword(env);
  const oneTimePassword = chosen === undefined ? generatePassword() : undefined;
  const passwordHash = await hashPassword(oneTimePassword ?? chosen!);
  return {
    shown: { username: FIRST_USER, ...(oneTimePassword !== undefined && { password: oneTimePassword }) },
    save: () =>
      users.add(
        {
          username: FIRST_USER,
          role: 'admin',
          passwordHash,
          mustChangePassword: oneTimePassword !== undefined,
          instances: [EVERY_INSTANCE],
        },
        new Date().toISOString(),
      ),
  };
}
