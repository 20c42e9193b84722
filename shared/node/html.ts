/** Markup that is inserted unchanged. `html` escapes all other values. */
export interface Html {
  readonly markup: string;
}

type HtmlValue = string | number | Html | readonly HtmlValue[];

/** Template tag that escapes what it inserts, for element content and for quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return { markup: String.raw({ raw: strings }, ...values.map(toMarkup)) };
}

/** Text in which backticks mark code. */
export function markCode(text: string): Html {
  return { markup: toMarkup(text).replace(/`([^`]+)`/g, '<code>$1</code>') };
}

export function joinHtml(values: readonly HtmlValue[], separator: string): Html {
  return { markup: values.map(toMarkup).join(separator) };
}

function toMarkup(value: HtmlValue): string {
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(toMarkup).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
