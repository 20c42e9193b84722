import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { asSent, type CallContext } from './call.ts';

export interface SignInQuestion {
  username: string;
  password: string;
  /** A one-time code or a recovery code. */
  code?: string | undefined;
  /** Where the client is, for the limit of failures and the audit log. */
  address: string;
}

export interface SignInVerdict {
  verdict: 'right' | 'wrong' | 'second factor missing' | 'second factor wrong';
  /** If it is right: the user as it was checked. */
  user?: { username: string; version: string; mustChangePassword: boolean };
}

/**
 * Sign-ins that do not come by HTTP. The gateway answers, so that all failures of a user count together and the same few passwords are hashed at
 * a time. It writes the audit log as well.
 */
export interface SignInService {
  /** Throws `rate_limited` after too many failures, without checking anything. */
  checkSignIn(question: SignInQuestion): Promise<SignInVerdict>;
}

const t = initTRPC.context<CallContext<SignInService>>().create({ transformer: asSent });

export const signInRouter = t.router({
  checkSignIn: t.procedure
    .input(
      z.object({
        username: z.string().min(1).max(256),
        password: z.string().max(1_024),
        code: z.string().max(64).optional(),
        address: z.string().max(64),
      }),
    )
    .mutation(({ ctx, input }) => ctx.service.checkSignIn(input)),
});

export type SignInRouter = typeof signInRouter;
