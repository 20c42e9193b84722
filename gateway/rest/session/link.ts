import { changeLink, createLink, linkRequest, link as linkSchema, unlinked } from '../../../shared/schema/link.ts';
import { sessionOnly } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';

/** The link to a hosted proxy. Only administrators: whoever links this daemon decides who controls it from elsewhere. */
export function linkRoutes(app: Api, { link }: Services): void {
  const tag = 'Link';
  const access = sessionOnly('admin');

  app.get(
    '/api/link',
    {
      schema: { response: { 200: linkSchema } },
      config: {
        operation: {
          id: 'getLink',
          summary: 'Get the link to a hosted proxy, its state, and a request that waits for approval',
          tag,
          access,
        },
      },
    },
    () => link.read(),
  );

  app.post(
    '/api/link',
    {
      schema: { body: createLink, response: { 202: linkRequest } },
      config: {
        operation: {
          id: 'createLink',
          work: 'link',
          summary: 'Request to link this daemon to a hosted proxy',
          description:
            'The proxy gives a code, which someone with an account there enters in a browser. Read `GET /api/link` until `request` is `null`; `lastRequest` then has the outcome. A present link is replaced once the request is approved. Only one request can wait.',
          tag,
          access,
          errors: ['already_in_progress', 'not_linked', 'proxy_refused', 'proxy_unavailable'],
          answers: { 202: { description: 'Waiting for approval.' } },
        },
      },
    },
    async (request, reply) => reply.code(202).send(await link.request(request.body, request.identity!)),
  );

  app.delete(
    '/api/link/request',
    {
      config: {
        operation: {
          id: 'cancelLinkRequest',
          work: 'link',
          summary: 'Cancel the request that waits for approval',
          tag,
          access,
          errors: ['not_linked'],
          answers: { 204: { description: 'Cancelled.' } },
        },
      },
    },
    async (_request, reply) => {
      await link.cancel();
      return reply.code(204).send();
    },
  );

  app.patch(
    '/api/link',
    {
      schema: { body: changeLink, response: { 200: linkSchema } },
      config: {
        operation: {
          id: 'changeLink',
          summary: 'Change what tokens of the proxy can do here',
          description: 'Applies at once, also to consoles and event streams that are open.',
          tag,
          access,
          errors: ['not_linked'],
        },
      },
    },
    (request) => link.change(request.body),
  );

  app.delete(
    '/api/link',
    {
      schema: { response: { 200: unlinked } },
      config: {
        operation: {
          id: 'removeLink',
          work: 'link',
          summary: 'Unlink this daemon from the hosted proxy',
          description:
            'Also cancels a request that waits. Tokens of the proxy stop working at once. The proxy is told; if it does not answer, the daemon is unlinked all the same.',
          tag,
          access,
          errors: ['not_linked'],
        },
      },
    },
    () => link.remove(),
  );
}
