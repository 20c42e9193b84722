import type { FastifyReply } from 'fastify';
import { actionResponse } from '../../../shared/schema/answers.ts';
import {
  changePassword,
  loginRequest,
  loginResponse,
  logoutRequest,
  sessionInfo,
} from '../../../shared/schema/credentials.ts';
import { requireSession } from '../../auth/access.ts';
import { cookieAttributes, cookieOf, SESSION_COOKIE } from '../../auth/credentials/session-cookie.ts';
import { PUBLIC, sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import type { SignedIn } from '../../services/sign-in.ts';

export function signInRoutes(app: Api, { signIn }: Services, secure: boolean): void {
  const tag = 'Sign-in';
  const attributes = cookieAttributes(secure);
  const setCookie = (reply: FastifyReply, { value }: SignedIn) => reply.setCookie(SESSION_COOKIE, value, attributes);

  app.post(
    '/api/login',
    {
      schema: { body: loginRequest, response: { 200: loginResponse } },
      config: {
        operation: {
          id: 'login',
          summary: 'Sign in and get the session cookie',
          tag,
          access: PUBLIC,
          signsIn: true,
          errors: ['unauthenticated', 'totp_required', 'totp_invalid'],
          answers: { 200: { description: 'Signed in.', headers: { 'Set-Cookie': 'RemoteCookies' } } },
        },
      },
    },
    async (request, reply) => {
      const signedIn = await signIn.signIn(request.body, {
        address: request.ip,
        replaces: cookieOf(request),
        onUser(username) {
          request.actor = username;
        },
      });
      setCookie(reply, signedIn);
      return publicPart(signedIn);
    },
  );

  app.post(
    '/api/logout',
    {
      schema: { body: logoutRequest },
      config: {
        operation: {
          id: 'logout',
          summary: 'Sign out',
          tag,
          access: PUBLIC,
          answers: { 204: { description: 'Signed out, or there was no session.' } },
        },
      },
    },
    async (request, reply) => {
      const value = cookieOf(request);
      if (value !== undefined) request.actor = (await signIn.signOut(value, request.body)) ?? null;
      return reply.clearCookie(SESSION_COOKIE, attributes).code(204).send();
    },
  );

  app.get(
    '/api/session',
    {
      schema: { response: { 200: sessionInfo } },
      config: {
        operation: {
          id: 'getSession',
          summary: 'Get the signed-in user',
          tag,
          access: sessionOnly('viewer'),
          beforePasswordChange: true,
        },
      },
    },
    (request) => signIn.session(requireSession(request)),
  );

  app.put(
    '/api/password',
    {
      schema: { body: changePassword, response: { 200: actionResponse } },
      config: {
        operation: {
          id: 'changePassword',
          summary: 'Change your password; a new session replaces all others',
          tag,
          access: sessionOnly('viewer'),
          beforePasswordChange: true,
          answers: {
            200: {
              description: 'Changed.',
              headers: { 'Set-Cookie': 'RemoteCookies' },
              example: { success: true, message: 'Your password was changed.' },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const signedIn = await signIn.changePassword(request.body, requireSession(request), { address: request.ip });
      setCookie(reply, signedIn);
      return { success: true, message: 'Your password was changed.' };
    },
  );
}

function publicPart({ username, role, expiresAt, mustChangePassword }: SignedIn) {
  return { username, role, expiresAt, mustChangePassword };
}
