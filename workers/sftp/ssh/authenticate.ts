import type { AuthContext, Connection, KeyboardAuthContext, PasswordAuthContext } from 'ssh2';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { SignInClient } from '../../../shared/node/ipc/connect.ts';
import type { SignedIn } from '../access/live-sessions.ts';

/** Offered to everybody, so that they tell nothing about the user. */
const METHODS = ['keyboard-interactive', 'password'] as const;
/** Of one connection, as in OpenSSH. */
const MOST_TRIES = 6;

export interface AuthenticateOptions {
  address: string;
  signIn: SignInClient['call'];
  /** Resolves to false if the session cannot begin. */
  begin: (signedIn: SignedIn) => Promise<boolean>;
  /** Called after too many tries. */
  giveUp: () => void;
  onError: (error: unknown) => void;
}

/** Lets a client sign in, by the gateway's check of passwords and codes. */
export function authenticate(client: Connection, options: AuthenticateOptions): void {
  let tries = 0;
  client.on('authentication', (ctx) => {
    if (ctx.method === 'none') {
      ctx.reject([...METHODS]);
      return;
    }
    if (++tries > MOST_TRIES) {
      options.giveUp();
      return;
    }
    attempt(ctx, options).then(
      (isAllowed) => (isAllowed ? ctx.accept() : ctx.reject([...METHODS])),
      (error: unknown) => {
        options.onError(error);
        ctx.reject([...METHODS]);
      },
    );
  });
}

async function attempt(ctx: AuthContext, options: AuthenticateOptions): Promise<boolean> {
  if (ctx.method === 'password') return await byPassword(ctx, options);
  if (ctx.method === 'keyboard-interactive') return await byQuestions(ctx, options);
  return false;
}

/** For users without a second factor: there is no place for a code. */
async function byPassword({ username, password }: PasswordAuthContext, options: AuthenticateOptions): Promise<boolean> {
  const checked = await check({ username, password }, options);
  return typeof checked === 'object' && (await options.begin(checked));
}

async function byQuestions(ctx: KeyboardAuthContext, options: AuthenticateOptions): Promise<boolean> {
  const { username } = ctx;
  const [password] = await ask(ctx, [{ prompt: 'Password: ', echo: false }]);
  if (password === undefined) return false;
  let checked = await check({ username, password }, options);
  if (checked === 'second factor missing') {
    const [code] = await ask(ctx, [{ prompt: 'Code of your authenticator app: ', echo: true }]);
    if (code === undefined) return false;
    checked = await check({ username, password, code }, options);
  }
  if (checked === 'too often') await ask(ctx, [], 'Too many failed sign-ins. Try again in 15 minutes.');
  if (checked === 'password expired')
    await ask(ctx, [], 'Sign in to the panel and choose a password of your own first.');
  return typeof checked === 'object' && (await options.begin(checked));
}

type Checked = SignedIn | 'second factor missing' | 'too often' | 'password expired' | 'wrong';

async function check(
  entered: { username: string; password: string; code?: string },
  { address, signIn }: AuthenticateOptions,
): Promise<Checked> {
  try {
    const { verdict, user } = await signIn.checkSignIn({ ...entered, address });
    if (verdict === 'second factor missing') return verdict;
    if (!user) return 'wrong';
    const { username, version, mustChangePassword } = user;
    return mustChangePassword ? 'password expired' : { username, version };
  } catch (error) {
    if (isGamekeeperError(error, 'rate_limited')) return 'too often';
    throw error;
  }
}

/** Resolves to no answers if the client gives up. */
function ask(
  ctx: KeyboardAuthContext,
  prompts: { prompt: string; echo: boolean }[],
  instructions = '',
): Promise<string[]> {
  return new Promise((resolve) => {
    ctx.prompt(prompts, 'Gamekeeper', instructions, (answers: unknown) =>
      resolve(Array.isArray(answers) ? answers.map(String) : []),
    );
  });
}
