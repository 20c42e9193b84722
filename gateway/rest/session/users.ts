import * as z from 'zod';
import { createdUser, createUser, updateUser, user } from '../../../shared/schema/users.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const ofUser = z.object({
  username: z.string().min(1).max(256).describe('User name; upper and lower case do not matter'),
});

export function userRoutes(app: Api, { users }: Services): void {
  const tag = 'Users';
  const access = sessionOnly('admin');

  app.get(
    '/api/users',
    {
      schema: { response: { 200: z.array(user) } },
      config: { operation: { id: 'listUsers', summary: 'List the users', tag, access } },
    },
    () => users.list(),
  );

  app.get(
    '/api/users/:username',
    {
      schema: { params: ofUser, response: { 200: user } },
      config: { operation: { id: 'getUser', summary: 'Get a user', tag, access, errors: ['user_not_found'] } },
    },
    (request) => users.get(request.params.username),
  );

  app.post(
    '/api/users',
    {
      schema: { body: createUser, response: { 201: createdUser } },
      config: {
        operation: {
          id: 'createUser',
          work: 'users',
          summary: 'Create a user',
          description:
            'Without `password` one is generated. It is shown only once, and must be changed at the first sign-in.',
          tag,
          access,
          errors: ['user_exists'],
          answers: { 201: { description: 'Created.', headers: { Location: 'Address of the user' } } },
        },
      },
    },
    async (request, reply) => {
      const created = await users.create(request.body, request.identity!);
      return reply.code(201).header('location', `/api/users/${created.username}`).send(created);
    },
  );

  app.patch(
    '/api/users/:username',
    {
      schema: { params: ofUser, body: updateUser, response: { 200: user } },
      config: {
        operation: {
          id: 'updateUser',
          work: 'users',
          summary: 'Change a user',
          description:
            'Keeps what the body does not name. Takes effect at once: new rights also apply to open connections, and a new password or `disabled` ends every session of the user. Tokens of a disabled user are not valid.',
          tag,
          access,
          errors: ['user_not_found', 'last_administrator', 'own_account'],
        },
      },
    },
    (request) => users.update(request.params.username, request.body, request.identity!),
  );

  app.delete(
    '/api/users/:username',
    {
      schema: { params: ofUser },
      config: {
        operation: {
          id: 'removeUser',
          work: 'users',
          summary: 'Delete a user with all sessions and tokens',
          tag,
          access,
          errors: ['user_not_found', 'last_administrator', 'own_account'],
          answers: { 204: { description: 'Removed.' } },
        },
      },
    },
    async (request, reply) => {
      await users.remove(request.params.username, request.identity!);
      return reply.code(204).send();
    },
  );
}
