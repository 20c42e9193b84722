import type { FastifyRequest } from 'fastify';
import {
  recoveryCodes,
  recoveryCodesRequest,
  removeTotpRequest,
  totpBegun,
  totpRequest,
} from '../../../shared/schema/second-factor.ts';
import { requireSession } from '../../auth/access.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Owner } from '../../services/second-factor.ts';
import type { Services } from '../../services/services.ts';

/** The caller's own second factor: one-time codes of an authenticator app (RFC 6238), and recovery codes. */
export function totpRoutes(app: Api, { secondFactor }: Services): void {
  const tag = 'Sign-in';
  const access = sessionOnly('viewer');

  app.post(
    '/api/totp',
    {
      schema: { body: totpRequest, response: { 200: recoveryCodes, 201: totpBegun } },
      config: {
        operation: {
          id: 'setUpTotp',
          summary: 'Set up a second factor, in two steps',
          description:
            'First send `password`: the answer is a new secret for an authenticator app. Then send `code`, as the app shows it: from then on signing in needs a code, your other sessions end, and the answer is ten recovery codes.',
          tag,
          access,
          errors: ['invalid_state'],
          answers: { 200: { description: 'Confirmed.' }, 201: { description: 'The secret was created.' } },
        },
      },
    },
    async (request, reply) => {
      const { password, code } = request.body;
      if (code !== undefined) return secondFactor.confirm({ code }, ownerOf(request));
      return reply.code(201).send(await secondFactor.begin({ password: password! }, ownerOf(request)));
    },
  );

  app.delete(
    '/api/totp',
    {
      schema: { body: removeTotpRequest },
      config: {
        operation: {
          id: 'removeTotp',
          summary: 'Remove your second factor',
          description: 'This also removes the recovery codes.',
          tag,
          access,
          answers: { 204: { description: 'Removed.' } },
        },
      },
    },
    async (request, reply) => {
      const { password, code } = request.body;
      await secondFactor.remove(password === undefined ? { code: code! } : { password }, ownerOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/recovery-codes',
    {
      schema: { body: recoveryCodesRequest, response: { 200: recoveryCodes } },
      config: {
        operation: {
          id: 'renewRecoveryCodes',
          summary: 'Replace your recovery codes with ten new ones',
          tag,
          access,
          errors: ['invalid_state'],
        },
      },
    },
    (request) => secondFactor.renewRecoveryCodes(request.body, ownerOf(request)),
  );

  app.delete(
    '/api/recovery-codes',
    {
      config: {
        operation: {
          id: 'removeRecoveryCodes',
          summary: 'Revoke your recovery codes',
          tag,
          access,
          answers: { 204: { description: 'Revoked.' } },
        },
      },
    },
    async (request, reply) => {
      await secondFactor.removeRecoveryCodes(ownerOf(request));
      return reply.code(204).send();
    },
  );
}

function ownerOf(request: FastifyRequest): Owner {
  return { identity: requireSession(request), address: request.ip };
}
