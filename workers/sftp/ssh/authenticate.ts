import type { AuthContext, Connection, KeyboardAuthContext, PasswordAuthContext, PublicKeyAuthContext } from 'ssh2';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { DaemonClient, SignInClient } from '../../../shared/node/ipc/connect.ts';
import type { SignedIn } from '../access/live-sessions.ts';
import { checkKey } from './key-sign-in.ts';

/** Offered to everybody, so that they tell nothing about the user. */
const METHODS = ['publickey', 'keyboard-interactive', 'password'] as const;
/** Of one connection, as in OpenSSH. */
const MOST_TRIES = 6;

export interface AuthenticateOptions {
  address: string;
  signIn: SignInClient['call'];
  daemon: DaemonClient['call'];
  /** Resolves to false if the session cannot begin. */
  begin: (signedIn: SignedIn) => Promise<boolean>;
  /** Called when somebody has signed in with a key. Passwords are recorded by the gateway. */
  keyShown: (username: string) => void;
  /** Called after too many tries. */
  giveUp: () => void;
  onError: (error: unknown) => void;
}

/** Lets a client sign in, by the gateway's check of passwords and codes. */
export function authenticate(client: Connection, options: AuthenticateOptions): void {
  let refusals = 0;
  client.on('authentication', (ctx) => {
    if (ctx.method === 'none') {
      ctx.reject([...METHODS]);
      return;
    }
    const refuse = () => {
      if (++refusals >= MOST_TRIES) options.giveUp();
      else ctx.reject([...METHODS]);
    };
    attempt(ctx, options).then(
      (isAllowed) => (isAllowed ? ctx.accept() : refuse()),
      (error: unknown) => {
        options.onError(error);
        refuse();
      },
    );
  });
}

async function attempt(ctx: AuthContext, options: AuthenticateOptions): Promise<boolean> {
  if (ctx.method === 'password') return await byPassword(ctx, options);
  if (ctx.method === 'keyboard-interactive') return await byQuestions(ctx, options);
  if (ctx.method === 'publickey') return await byKey(ctx, options);
  return false;
}

/** Returns true as well for a key that is welcome and not proven yet: "accept" then asks for the proof. */
async function byKey(ctx: PublicKeyAuthContext, { daemon, begin, keyShown }: AuthenticateOptions): Promise<boolean> {
  const found = await checkKey(ctx, daemon);
  if (found && !found.isProven) return true;
  const isAllowed = found !== undefined && (await begin(found.signedIn));
  if (isAllowed) keyShown(found.signedIn.username);
  return isAllowed;
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
