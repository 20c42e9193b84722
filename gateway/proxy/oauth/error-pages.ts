import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { messagePage } from '../pages/message-page.ts';

/** Shows an error of the authorization endpoint that cannot be sent to the program, for example because its address is not registered. */
export async function renderError(
  ctx: KoaContextWithOIDC,
  { error, error_description: detail }: ErrorOut,
): Promise<void> {
  ctx.type = 'html';
  ctx.body = messagePage({
    title: 'Something is wrong with this link',
    text: 'The program that sent you here asked for something that does not work. Go back and try again. If it happens again, show this to whoever made the program:',
    detail: detail === undefined ? error : `${error}: ${detail}`,
  });
}
