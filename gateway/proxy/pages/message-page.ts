import { html } from '../../../shared/node/html.ts';
import { page } from './page.ts';

export interface Message {
  title: string;
  text: string;
  /** For the author of a program. */
  detail?: string;
}

/** A page that only says something. */
export function messagePage({ title, text, detail }: Message): string {
  return page({ title, body: html`<p>${text}</p>${detail === undefined ? '' : html`<p><code>${detail}</code></p>`}` });
}
