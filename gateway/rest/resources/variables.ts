import * as z from 'zod';
import { changeVariables, instanceVariable } from '../../../shared/schema/variables.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

const tag = 'Instances';

export function variableRoutes(app: Api, { variables }: Services): void {
  app.get(
    '/instances/:id/variables',
    {
      schema: { params: ofInstance, response: { 200: z.array(instanceVariable) } },
      config: {
        operation: {
          id: 'getVariables',
          summary: 'List the variables of an instance with their values',
          description: 'Its kind declares them. Values of secrets are left out.',
          tag,
          access: needs('servers:read'),
          errors: ['instance_not_found', 'software_not_found'],
        },
      },
    },
    (request) => variables.list(request.params.id),
  );

  app.patch(
    '/instances/:id/variables',
    {
      schema: { params: ofInstance, body: changeVariables, response: { 200: z.array(instanceVariable) } },
      config: {
        operation: {
          id: 'changeVariables',
          work: 'configure',
          summary: 'Set variables of an instance',
          description:
            'Variables that are not named keep their values. Takes effect at the next start. `editableBy` says who may set each.',
          tag,
          access: needs('servers:write'),
          errors: ['instance_not_found', 'software_not_found', 'already_in_progress'],
        },
      },
    },
    (request) => variables.change(request.params.id, request.body, request.identity!),
  );
}
