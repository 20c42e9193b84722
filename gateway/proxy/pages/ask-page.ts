import { type Html, html } from '../../../shared/node/html.ts';
import { page, problemNote } from './page.ts';

export interface Question {
  title: string;
  /** What is lost. */
  text: Html;
  action: string;
  /** Of the button. */
  label: string;
  back?: string;
  problem?: string | undefined;
}

/** Asks before something is done that cannot be undone. */
export function askPage({ title, text, action, label, back = '/account', problem }: Question): string {
  return page({
    title,
    body: html`${problemNote(problem)}${text}
<form method="post" action="${action}"><div class="buttons"><button class="danger">${label}</button><a class="button plain" href="${back}">Cancel</a></div></form>`,
  });
}
