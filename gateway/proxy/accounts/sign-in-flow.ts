import type { FastifyRequest } from 'fastify';
import { field } from '../http/forms.ts';
import { type CodeForm, codePage } from '../pages/code-page.ts';
import { signInPage } from '../pages/sign-in-page.ts';
import type { Vault } from '../store/vault.ts';
import type { Account, Accounts } from './accounts.ts';
import type { SecondFactors } from './second-factors.ts';
import type { SignIn } from './sign-in.ts';

const CONTEXT = 'sign-in with the right password';
/** How long the person may take to find the code. */
const CODE_WITHIN_MS = 5 * 60_000;

/** Where the forms are sent, and the program that the person will go on to. */
export type SignInTarget = Pick<CodeForm, 'action' | 'program'>;

/** Either the account that has signed in, or the page that comes next. */
export type SignInStep = { account: Account } | { markup: string; status: number };

/** Leads through a sign-in: the password, then the code if the account has a second factor. */
export type SignInFlow = (request: FastifyRequest, target: SignInTarget) => Promise<SignInStep>;

export interface SignInFlowOptions {
  accounts: Accounts;
  signIn: SignIn;
  secondFactors: SecondFactors;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createSignInFlow({ accounts, signIn, secondFactors, vault, now }: SignInFlowOptions): SignInFlow {
  const seal = (accountId: string) => vault.seal(JSON.stringify({ accountId, until: now() + CODE_WITHIN_MS }), CONTEXT);

  /** The account whose password was right a moment ago. The browser keeps this proof, and the server nothing. */
  async function provenAccount(proof: string): Promise<Account | undefined> {
    try {
      const { accountId, until } = JSON.parse(vault.open(proof, CONTEXT)) as { accountId: string; until: number };
      return now() < until ? await accounts.find(accountId) : undefined;
    } catch {
      return undefined;
    }
  }

  async function withPassword(request: FastifyRequest, target: SignInTarget): Promise<SignInStep> {
    const name = field(request, 'name').trim();
    const account = await signIn.check({ name, password: field(request, 'password'), address: request.ip });
    if (!account) {
      return { markup: signInPage({ ...target, name, problem: 'Name or password is wrong.' }), status: 401 };
    }
    if (!(await secondFactors.isOn(account.id))) return { account };
    return { markup: codePage({ ...target, proof: seal(account.id) }), status: 200 };
  }

  async function withCode(request: FastifyRequest, proof: string, target: SignInTarget): Promise<SignInStep> {
    const account = await provenAccount(proof);
    if (!account) {
      return { markup: signInPage({ ...target, problem: 'That took too long. Sign in again.' }), status: 401 };
    }
    if (await signIn.checkCode(account, field(request, 'code'))) return { account };
    return { markup: codePage({ ...target, proof, problem: 'This code is wrong, or was already used.' }), status: 401 };
  }

  return (request, target) => {
    const proof = field(request, 'proof');
    return proof === '' ? withPassword(request, target) : withCode(request, proof, target);
  };
}
