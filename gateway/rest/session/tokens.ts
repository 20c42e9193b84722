import * as z from 'zod';
import { createdToken, createToken, tokenInfo } from '../../../shared/schema/credentials.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const ofToken = z.object({
  id: z
    .string()
    .min(1)
    .max(256)
    .meta({ description: 'Token id (jti)', examples: ['2f0c6a52-8f1d-4d7e-9c55-0f6a1b7c9d10'] }),
});

/** Bearer tokens. Only users can create them; a token cannot create another. */
export function tokenRoutes(app: Api, { tokens }: Services): void {
  const tag = 'Tokens';
  const access = sessionOnly('admin');

  app.get(
    '/api/tokens',
    {
      schema: { response: { 200: z.array(tokenInfo) } },
      config: {
        operation: {
          id: 'listTokens',
          summary: 'List valid bearer tokens, without the tokens themselves',
          tag,
          access,
        },
      },
    },
    () => tokens.list(),
  );

  app.post(
    '/api/tokens',
    {
      schema: { body: createToken, response: { 201: createdToken } },
      config: {
        operation: {
          id: 'createToken',
          summary: 'Create a bearer token; it is shown only once',
          tag,
          access,
          answers: { 201: { description: 'Created.' } },
        },
      },
    },
    async (request, reply) => {
      const created = await tokens.create(request.body, request.identity!);
      return reply.code(201).send(created);
    },
  );

  app.delete(
    '/api/tokens/:id',
    {
      schema: { params: ofToken },
      config: {
        operation: {
          id: 'revokeToken',
          summary: 'Revoke a bearer token',
          tag,
          access,
          errors: ['token_not_found'],
          answers: { 204: { description: 'Revoked.' } },
        },
      },
    },
    async (request, reply) => {
      await tokens.revoke(request.params.id, request.identity!);
      return reply.code(204).send();
    },
  );
}
