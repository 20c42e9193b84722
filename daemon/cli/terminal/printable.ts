import { stripVTControlCharacters, styleText } from 'node:util';
import { replaceUnprintable, showUnprintable } from '../../../shared/domain/console/invisible-characters.ts';

/** The colours that `styleText` writes and that consoles show. */
const COLOUR = /(\x1b\[[\d;:]*m)/;

/** Returns text from elsewhere, such as a file name, for a terminal: control and invisible characters become `<U+001B>`, except line breaks and tabs. */
export function printable(text: string): string {
  return showUnprintable(text);
}

/** Like `printable`, but keeps colours. */
export function printableColoured(text: string): string {
  return text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : showUnprintable(part)))
    .join('');
}

/** Returns a console line for a stream: on a terminal in its colours, and notices of Gamekeeper's own in inverse ones. */
export function consoleLine({ text, notice }: { text: string; notice?: boolean }, stream: NodeJS.WriteStream): string {
  if (!stream.isTTY) return printable(stripVTControlCharacters(text));
  return notice ? styleText('inverse', printable(text), { stream }) : printableColoured(text);
}

/** Returns a copy of a document, such as an answer of the API, in which every text is printable. */
export function printableDocument<T>(document: T): T {
  if (typeof document === 'string') return printable(document) as T;
  if (Array.isArray(document)) return document.map(printableDocument) as T;
  if (typeof document !== 'object' || document === null) return document;
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, printableDocument(value)])) as T;
}

/** Returns a document as JSON that a terminal shows as it is, with the same meaning. */
export function printableJson(document: unknown): string {
  // JSON itself escapes only the control characters below U+0020.
  return replaceUnprintable(JSON.stringify(document), (one) => one.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
