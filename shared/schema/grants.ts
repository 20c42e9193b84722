import * as z from 'zod';
import { EVERY_INSTANCE, INSTANCE_ROLES, instanceOfGrant } from '../domain/access/grant.ts';
import { INSTANCE_ID_PATTERN } from '../domain/instance/instance-id.ts';

const instanceId = z.string().regex(INSTANCE_ID_PATTERN, 'must be the id of an instance');
const MOST_GRANTS = 1_000;

/** The instances that a user can see, and with which role (docs/users.md). */
export const grants = z
  .array(
    z.union(
      [z.literal(EVERY_INSTANCE), instanceId, z.strictObject({ id: instanceId, role: z.enum(INSTANCE_ROLES) })],
      `must be "${EVERY_INSTANCE}", the id of an instance, or { "id", "role" } with one of the roles ${INSTANCE_ROLES.join(', ')}`,
    ),
  )
  .max(MOST_GRANTS)
  .refine((list) => new Set(list.map(instanceOfGrant)).size === list.length, 'must name each instance once')
  .meta({
    id: 'Grants',
    description:
      'The instances that a user can see: `"*"` for all, including future ones; an id; or an id with the user\'s role there. Other instances do not exist for the user. Administrators always have `["*"]`.',
    examples: [['*'], ['survival', { id: 'creative', role: 'viewer' }]],
  });
