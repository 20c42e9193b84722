import * as z from 'zod';
import { newSshKey, ofSshKeys, sshKey } from '../../../shared/schema/ssh-keys.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const ofKey = z.object({
  keyId: z
    .string()
    .max(64)
    .meta({ description: 'Id of the key', examples: ['0d1f3c52-6f0e-4c1c-9f1e-2f6f0a0f7b51'] }),
});

/** The public keys with which a user signs in by SFTP. */
export function sshKeyRoutes(app: Api, { sshKeys }: Services): void {
  const tag = 'Sign-in';
  const access = sessionOnly('viewer');

  app.get(
    '/api/ssh-keys',
    {
      schema: { querystring: ofSshKeys, response: { 200: z.array(sshKey) } },
      config: {
        operation: { id: 'listSshKeys', summary: 'List your SSH keys', tag, access, errors: ['user_not_found'] },
      },
    },
    (request) => sshKeys.list(request.query.username, request.identity!),
  );

  app.post(
    '/api/ssh-keys',
    {
      schema: { body: newSshKey, response: { 201: sshKey } },
      config: {
        operation: {
          id: 'addSshKey',
          summary: 'Add an SSH key, to sign in by SFTP',
          description: 'Needs your password. The key replaces password and second factor when you connect by SFTP.',
          tag,
          access,
          errors: ['invalid_state', 'user_not_found'],
          answers: { 201: { description: 'Added.' } },
        },
      },
    },
    async (request, reply) => reply.code(201).send(await sshKeys.add(request.body, request.identity!, request.ip)),
  );

  app.delete(
    '/api/ssh-keys/:keyId',
    {
      schema: { params: ofKey, querystring: ofSshKeys },
      config: {
        operation: {
          id: 'removeSshKey',
          summary: 'Remove an SSH key',
          description: 'Sessions that began with it end at once.',
          tag,
          access,
          errors: ['ssh_key_not_found'],
          answers: { 204: { description: 'Removed.' } },
        },
      },
    },
    async (request, reply) => {
      await sshKeys.remove({ id: request.params.keyId, username: request.query.username }, request.identity!);
      return reply.code(204).send();
    },
  );
}
