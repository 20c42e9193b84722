import type { FastifyInstance, FastifyReply } from 'fastify';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { html } from '../../../../shared/node/html.ts';
import { field } from '../../http/forms.ts';
import type { Clients } from '../../oauth/clients.ts';
import type { Grants } from '../../oauth/grants.ts';
import { type ProgramForm, type ProgramsPage, programsPage } from '../../pages/account/programs-page.ts';
import { askPage } from '../../pages/ask-page.ts';
import { sendPage } from '../../pages/send-page.ts';
import type { Audit } from '../audit.ts';
import { type Browser, forUser } from '../sessions/signed-in.ts';

const PATH = '/account/programs';

export interface ProgramRoutesOptions {
  clients: Clients;
  grants: Grants;
  audit: Audit;
  browser: Browser;
}

/** The page of the programs that an account has registered, for anybody to let in, and its buttons. */
export function programRoutes(app: FastifyInstance, { clients, grants, audit, browser }: ProgramRoutesOptions): void {
  const shown = async (accountId: string, more: Partial<ProgramsPage> = {}) =>
    programsPage({ programs: await clients.list(accountId), ...more });
  const find = async (id: string, accountId: string) => (await clients.list(accountId)).find((one) => one.id === id);

  app.get(
    PATH,
    forUser(browser, async ({ account }, _request, reply) => sendPage(reply, await shown(account.id))),
  );

  app.post(
    PATH,
    forUser(browser, async ({ account }, request, reply) => {
      const form: ProgramForm = {
        name: field(request, 'name'),
        redirectUris: field(request, 'redirectUris'),
        isPublic: field(request, 'kind') === 'public',
      };
      try {
        const { name, isPublic } = form;
        const redirectUris = form.redirectUris.split('\n').flatMap((line) => line.trim() || []);
        const added = await clients.create({ name, redirectUris, isPublic, accountId: account.id });
        await audit.record({ account, action: 'program.registered', detail: name, address: request.ip });
        return sendPage(reply, await shown(account.id, { added }), 201);
      } catch (error) {
        return sendProblem(reply, error, (problem) => shown(account.id, { form, problem }));
      }
    }),
  );

  app.get(
    `${PATH}/:id/remove`,
    forUser(browser, async ({ account }, { params }, reply) => {
      const program = await find((params as { id: string }).id, account.id);
      if (!program) return reply.redirect(PATH, 303);
      return sendPage(
        reply,
        askPage({
          title: `Remove ${program.name}?`,
          text: html`<p>Nobody can use the program any more, and all access that people gave it ends. You cannot undo this.</p>`,
          action: `${PATH}/${program.id}/remove`,
          label: 'Remove program',
          back: PATH,
        }),
      );
    }),
  );

  app.post(
    `${PATH}/:id/remove`,
    forUser(browser, async ({ account }, request, reply) => {
      const { id } = request.params as { id: string };
      const program = await find(id, account.id);
      if (program && (await clients.remove(id, account.id))) {
        await grants.revokeOfClient(id);
        await audit.record({ account, action: 'program.removed', detail: program.name, address: request.ip });
      }
      return reply.redirect(PATH, 303);
    }),
  );
}

/** Shows what is wrong on the page itself, so that nothing has to be typed again. */
async function sendProblem(
  reply: FastifyReply,
  error: unknown,
  shown: (problem: string) => Promise<string>,
): Promise<FastifyReply> {
  if (!(error instanceof GamekeeperError)) throw error;
  return sendPage(reply, await shown(`${error.message} ${error.resolution}`), error.status);
}
