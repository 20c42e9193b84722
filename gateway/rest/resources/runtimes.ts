import * as z from 'zod';
import { JAVA_VERSIONS } from '../../../shared/domain/java/java-version.ts';
import { runtime, runtimeUpdate } from '../../../shared/schema/runtime.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

const javaVersion = z.enum(JAVA_VERSIONS);
const removal = z.object({ removed: z.array(javaVersion) }).meta({ id: 'RuntimeRemoval' });

export function runtimeRoutes(app: Api, { software }: Services): void {
  const tag = 'Software';

  app.get(
    '/runtimes',
    {
      schema: { response: { 200: z.array(runtime) } },
      config: {
        operation: {
          id: 'listRuntimes',
          summary: 'List the installed Java versions and the instances that use them',
          tag,
          access: needs('servers:read'),
          errors: ['worker_unavailable'],
        },
      },
    },
    (request) => software.runtimes(request.identity!),
  );

  app.delete(
    '/runtimes',
    {
      schema: { response: { 200: removal } },
      config: {
        operation: {
          id: 'removeUnusedRuntimes',
          work: 'runtime',
          summary: 'Remove every Java version that no instance uses',
          tag,
          access: needs('servers:write', 'admin'),
          errors: ['worker_unavailable'],
        },
      },
    },
    () => software.removeRuntimes(),
  );

  app.post(
    '/runtimes/:javaVersion/update',
    {
      schema: { params: z.object({ javaVersion }), response: { 200: runtimeUpdate } },
      config: {
        operation: {
          id: 'updateRuntime',
          work: 'runtime',
          summary: 'Update a Java version to its newest build',
          description:
            'Answers when it is installed. Servers use it from their next start. The previous build is removed once nothing runs on it.',
          tag,
          access: needs('servers:write', 'admin'),
          errors: [
            'runtime_not_found',
            'vendor_unavailable',
            'installation_failed',
            'insufficient_storage',
            'worker_unavailable',
          ],
        },
      },
    },
    (request) => software.updateRuntime(request.params.javaVersion),
  );

  app.delete(
    '/runtimes/:javaVersion',
    {
      schema: { params: z.object({ javaVersion }), response: { 200: removal } },
      config: {
        operation: {
          id: 'removeRuntime',
          work: 'runtime',
          summary: 'Remove a Java version',
          tag,
          access: needs('servers:write', 'admin'),
          errors: ['runtime_not_found', 'runtime_in_use', 'worker_unavailable'],
        },
      },
    },
    (request) => software.removeRuntimes(request.params.javaVersion),
  );
}
