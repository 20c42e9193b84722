import * as z from 'zod';
import { EVERY_INSTANCE, FILE_RIGHTS, INSTANCE_ROLES, instanceOfGrant } from '../domain/access/grant.ts';
import { INSTANCE_ID_PATTERN } from '../domain/instance/instance-id.ts';

const instanceId = z.string().regex(INSTANCE_ID_PATTERN, 'must be the id of an instance');
const MOST_GRANTS = 1_000;

/** The instances that a user can see, and with which role (docs/users.md). */
export const grants = z
  .array(
    z.union(
      [
        z.literal(EVERY_INSTANCE),
        instanceId,
        z
          .strictObject({
            id: instanceId,
            role: z.enum(INSTANCE_ROLES),
            files: z
              .enum(FILE_RIGHTS)
              .exactOptional()
              .describe(
                'For operators. `read`: may read its files, with secrets masked; `write`: may also change them',
              ),
          })
          .refine(({ role, files }) => files === undefined || role === 'operator', {
            message: 'is only for operators',
            path: ['files'],
          }),
      ],
      `must be "${EVERY_INSTANCE}", the id of an instance, or { "id", "role", "files"? } with one of the roles ${INSTANCE_ROLES.join(', ')}, and ${FILE_RIGHTS.join(' or ')}`,
    ),
  )
  .max(MOST_GRANTS)
  .refine((list) => new Set(list.map(instanceOfGrant)).size === list.length, 'must name each instance once')
  .meta({
    id: 'Grants',
    description:
      'The instances that a user can see: `"*"` for all, including future ones; an id; or an id with the user\'s role there, and with `files` if the user may read or write its files: whoever writes files can make the server run any program. Other instances do not exist for the user. Administrators always have `["*"]`.',
    examples: [['*'], ['survival', { id: 'creative', role: 'viewer' }]],
  });
