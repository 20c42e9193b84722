import { randomUUID } from 'node:crypto';
import { type SignInQuestion, type SignInVerdict, signInRouter } from '../../shared/contract/sign-in.ts';
import { VERSION } from '../../shared/domain/version.ts';
import type { AuditTrail } from '../../shared/node/audit-trail.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';

/** Names of users that do not exist are not recorded: people type passwords there. */
const UNKNOWN_USER = 'unknown user';

export interface ServeSignInOptions {
  socketPath: string;
  /** Calls `onUser` with the user's name, if that user exists. */
  check: (question: SignInQuestion, onUser: (username: string) => void) => Promise<SignInVerdict>;
  audit: AuditTrail;
  onError: (error: unknown) => void;
  now: () => number;
}

/** Checks passwords for the SFTP server, and records who has signed in or tried to. Returns the function that ends it. */
export async function serveSignIn({ socketPath, check, audit, onError, now }: ServeSignInOptions) {
  const server = await serveIpc({
    socketPath,
    name: 'sign-in',
    version: VERSION,
    router: signInRouter,
    service: {
      async checkSignIn(question: SignInQuestion): Promise<SignInVerdict> {
        let username = UNKNOWN_USER;
        const verdict = await check(question, (name) => {
          username = name;
        });
        if (verdict.verdict === 'second factor missing') return verdict;
        const isAllowed = verdict.verdict === 'right' && !verdict.user?.mustChangePassword;
        await audit.write({
          at: new Date(now()).toISOString(),
          who: username,
          username,
          from: question.address,
          method: 'SFTP',
          path: 'sign-in',
          status: isAllowed ? 200 : 401,
          requestId: randomUUID(),
        });
        return verdict;
      },
    },
    onError,
  });
  return server.close;
}
