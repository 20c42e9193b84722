import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { messagePage } from '../pages/message-page.ts';

/** Shows an error of the authorization endpoint that cannot be sent to the program, for example because its address is not registered. */
export async function renderError(
  ctx: KoaContextWithOIDC,
  { error, error_description: detail }: ErrorOut,
): Promise<void> {
  ctx.type = 'html';
  ctx.body = messagePage({
    title: 'This request does not work',
    text: 'The program that sent you here made a request that this proxy cannot accept. Go back and try again, or tell its author:',
    detail: detail === undefined ? error : `${error}: ${detail}`,
  });
}
