import type { FastifyReply, FastifyRequest } from 'fastify';
import { field } from '../../http/forms.ts';
import { codePage } from '../../pages/sign-in/code-page.ts';
import { signInPage } from '../../pages/sign-in/sign-in-page.ts';
import type { Vault } from '../../store/vault.ts';
import type { Account, Accounts } from '../accounts.ts';
import { type CheckPasskey, WRONG_PASSKEY } from '../passkeys/check-passkey.ts';
import { createSealedProofs } from '../sealed-proof.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import type { Browser } from '../sessions/signed-in.ts';
import type { KnownBrowsers } from './known-browser.ts';
import type { SignIn } from './sign-in.ts';

const CONTEXT = 'sign-in with the right password';
/** How long the person may take to find the code. */
const CODE_WITHIN_MS = 5 * 60_000;

/** Where the forms are sent, and what the person will go on to. */
export interface SignInTarget {
  action: string;
  /** The name of a program. */
  program?: string;
  /** Of OAuth, in which the program waits. */
  interaction?: string;
  /** The address at which a daemon's panel waits (panel/panel-routes.ts). */
  panel?: string;
}

/** Either the account that has signed in, or the page that comes next. */
export type SignInStep = { account: Account } | { markup: string; status: number };

/** Leads through a sign-in: the password or a provider, then the code if the account has a second factor; or a passkey; then the session. */
export interface SignInFlow {
  /** Where it begins. */
  page(target: SignInTarget): string;
  /** Goes on with what a form has sent. */
  submit(request: FastifyRequest, reply: FastifyReply, target: SignInTarget): Promise<SignInStep>;
  /** Goes on after a provider has said that it is the owner of this account, as it was at that moment. */
  proven(account: Account, request: FastifyRequest, reply: FastifyReply, target: SignInTarget): Promise<SignInStep>;
}

export interface SignInFlowOptions {
  accounts: Accounts;
  signIn: SignIn;
  secondFactors: SecondFactors;
  checkPasskey: CheckPasskey;
  browser: Browser;
  /** To choose from. */
  providers: readonly { id: string; name: string }[];
  known: KnownBrowsers;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createSignInFlow(options: SignInFlowOptions): SignInFlow {
  const { accounts, signIn, secondFactors, checkPasskey, browser, known, providers, vault, now } = options;
  const page = (target: SignInTarget, form: { name?: string | undefined; problem?: string } = {}) =>
    signInPage({ ...target, ...form, providers });

  /** The account whose first factor was right a moment ago. */
  const proofs = createSealedProofs<Pick<Account, 'id' | 'version'>>({
    vault,
    context: CONTEXT,
    withinMs: CODE_WITHIN_MS,
    now,
  });

  const refused = (target: SignInTarget, name?: string) => ({
    markup: page(target, { name, problem: 'Name or password is wrong.' }),
    status: 401,
  });

  async function withPassword(request: FastifyRequest, target: SignInTarget): Promise<SignInStep> {
    const name = field(request, 'name').trim();
    const account = await signIn.check({
      name,
      password: field(request, 'password'),
      address: request.ip,
      browser: known.of(request.headers),
    });
    return account ? afterFirstFactor(account, target) : refused(target, name);
  }

  async function afterFirstFactor(account: Account, target: SignInTarget): Promise<SignInStep> {
    if (!(await secondFactors.isOn(account.id))) return { account };
    const { id, version } = account;
    return { markup: codePage({ ...target, proof: proofs.seal({ id, version }) }), status: 200 };
  }

  async function withCode(request: FastifyRequest, proof: string, target: SignInTarget): Promise<SignInStep> {
    const proven = proofs.open(proof);
    if (!proven) {
      return { markup: page(target, { problem: 'That took too long. Sign in again.' }), status: 401 };
    }
    const account = await accounts.find(proven.id);
    if (account?.version !== proven.version) return refused(target);
    if (await signIn.checkCode(account, field(request, 'code'))) return { account };
    return { markup: codePage({ ...target, proof, problem: 'This code is wrong, or was already used.' }), status: 401 };
  }

  /** A passkey stands for both factors. */
  async function withPasskey(request: FastifyRequest, response: string, target: SignInTarget): Promise<SignInStep> {
    const account = await checkPasskey(response, request.ip);
    if (account) return { account };
    return { markup: page(target, { problem: WRONG_PASSKEY }), status: 401 };
  }

  function next(request: FastifyRequest, target: SignInTarget): Promise<SignInStep> {
    const [passkey, proof] = [field(request, 'passkey'), field(request, 'proof')];
    if (passkey !== '') return withPasskey(request, passkey, target);
    return proof === '' ? withPassword(request, target) : withCode(request, proof, target);
  }

  async function finish(step: SignInStep, request: FastifyRequest, reply: FastifyReply, target: SignInTarget) {
    if (!('account' in step)) return step;
    return (await browser.signIn(step.account, request, reply)) ? step : refused(target, step.account.name);
  }

  return {
    page: (target) => page(target),
    submit: async (request, reply, target) => finish(await next(request, target), request, reply, target),
    proven: async (account, request, reply, target) =>
      finish(await afterFirstFactor(account, target), request, reply, target),
  };
}
