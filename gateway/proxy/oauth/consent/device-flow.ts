import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { deviceCodePage, deviceDonePage } from '../../pages/consent/device-pages.ts';

const MASK = '****-****';

/** The code of the address that `gamekeeper link` shows, until the page is rendered (mount.ts). */
const shownCodes = new WeakMap<IncomingMessage, string>();

/** Notes the code in the address, which the page shows. oidc-provider would submit it without asking. */
export function noteUserCode(request: IncomingMessage, code: string): void {
  shownCodes.set(request, code);
}

/** The pages of RFC 8628. The person compares the code with the one at the terminal, so no code is submitted without a click. */
export function deviceFlow() {
  return {
    enabled: true,
    charset: 'base-20',
    mask: MASK,
    async userCodeInputSource(
      ctx: KoaContextWithOIDC,
      _form: string,
      _out?: unknown,
      error?: Error & { userCode?: string },
    ) {
      ctx.type = 'html';
      ctx.body = deviceCodePage({
        xsrf: String(ctx.oidc.session?.state?.secret ?? ''),
        code: error?.userCode ?? shownCodes.get(ctx.req) ?? '',
        problem: error && problemOf(error),
      });
    },
    // Not reached: the form of our first page confirms at once, and the consent page asks.
    userCodeConfirmSource: async (ctx: KoaContextWithOIDC) => ctx.throw(400),
    async successSource(ctx: KoaContextWithOIDC) {
      ctx.type = 'html';
      ctx.body = deviceDonePage();
    },
  } as const;
}

/** Names of errors: lib/helpers/re_render_errors.js in oidc-provider. */
function problemOf({ name }: Error): string {
  if (name === 'NoCodeError') return 'Enter the code.';
  if (name === 'AbortedError') return 'You chose Deny, so nothing was linked.';
  if (name === 'ExpiredError') return 'This code has expired. Start again to get a new one.';
  if (name === 'AlreadyUsedError') return 'This code was already used. Start again to get a new one.';
  if (name === 'NotFoundError') return 'This code is not right. Compare it with the one on your screen.';
  return 'That did not work. Enter the code again.';
}
