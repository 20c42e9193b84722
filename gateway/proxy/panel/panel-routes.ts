import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Audit } from '../accounts/audit.ts';
import type { Browser, SignedInUser } from '../accounts/sessions/signed-in.ts';
import type { SignInFlow } from '../accounts/sign-in/sign-in-flow.ts';
import type { Daemons, LinkedDaemon } from '../daemons/directory.ts';
import type { Presence } from '../daemons/live-links.ts';
import { messagePage } from '../pages/message-page.ts';
import { PANEL_OFF, panelPage } from '../pages/panel-page.ts';
import { sendPage } from '../pages/send-page.ts';
import type { PanelParts } from './panel.ts';
import { ENTER_PATH } from './panel-hosts.ts';

const STATE = /^[\w-]{43}$/;
/** Of a daemon that shows nothing without it. */
const NEEDED = 'servers:read';

export interface PanelRoutesOptions {
  /** Absent: this proxy has no domain for panels. */
  panel: PanelParts | undefined;
  browser: Browser;
  signInFlow: SignInFlow;
  daemons: Daemons;
  liveLinks: Presence;
  audit: Audit;
}

/** `/panel/{daemonId}`: where a browser that wants to use a panel shows who it is. */
export function panelRoutes(app: FastifyInstance, options: PanelRoutesOptions): void {
  const { panel, browser, signInFlow, daemons, liveLinks, audit } = options;
  const path = '/panel/:daemonId';
  const targetOf = ({ url }: FastifyRequest) => ({ action: url, program: 'the panel', panel: url });

  /** Throws `route_not_found` for a daemon of another account as well. */
  async function daemonOf({ account }: SignedInUser, request: FastifyRequest): Promise<LinkedDaemon> {
    const daemon = await daemons.find((request.params as { daemonId: string }).daemonId);
    if (daemon?.accountId === account.id) return daemon;
    throw new GamekeeperError('route_not_found', 'Your account has no such computer.', {
      resolution: 'Open it from your account page, or sign in with the account that it is linked to.',
    });
  }

  async function enter(user: SignedInUser, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const daemon = await daemonOf(user, request);
    const { daemonId, name } = daemon;
    if (!panel) return sendPage(reply, messagePage({ title: name, text: PANEL_OFF }), 404);
    if (!daemon.scopes.includes(NEEDED))
      return sendPage(reply, messagePage({ title: name, text: forbidden(name) }), 403);
    const origin = panel.domain.originOf(daemon);
    const { state, again } = request.query as { state?: unknown; again?: unknown };
    if (typeof state === 'string' && STATE.test(state)) {
      const code = await panel.entries.issue({ sessionId: user.session.id, daemonId }, state);
      await audit.record({ account: user.account, action: 'panel.opened', detail: name, address: request.ip });
      return reply.redirect(`${origin}${ENTER_PATH}?code=${code}`, 303);
    }
    const isConnected = (await liveLinks.connected([daemonId])).has(daemonId);
    return sendPage(reply, panelPage({ daemon, origin, isConnected, hasFailed: again !== undefined }));
  }

  app.get(path, async (request, reply) => {
    const user = await browser.userOf(request.headers);
    return user ? enter(user, request, reply) : sendPage(reply, signInFlow.page(targetOf(request)));
  });

  app.post(path, async (request, reply) => {
    const step = await signInFlow.submit(request, reply, targetOf(request));
    if (!('account' in step)) return sendPage(reply, step.markup, step.status);
    // The browser comes back with its cookie.
    return reply.redirect(request.url, 303);
  });
}

function forbidden(name: string): string {
  return `${name} does not let this proxy use the panel. To change that, allow the scope ${NEEDED} there, under Remote access or with "gamekeeper link".`;
}
