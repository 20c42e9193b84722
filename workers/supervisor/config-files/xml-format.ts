import type { Document, Element } from '@xmldom/xmldom';
import { type ConfigFormat, textsOf } from './setting.ts';

interface Part {
  name: string;
  /** The element must have this attribute. */
  attribute?: { name: string; value: string };
}

const PART = /^([A-Za-z_][\w-]*)(?:\[@?([A-Za-z_][\w-]*)=(['"])(.*)\3\])?$/;

/** XML. A key is `Root.element[@name='x'].@value` for an attribute, or without the last part for the text of the element. */
export const xmlFormat: ConfigFormat = {
  async apply(text, settings) {
    const { DOMParser, XMLSerializer } = await import('@xmldom/xmldom');
    // What to create is not known: the server writes the first file.
    if (text.trim() === '') return text;
    const document = new DOMParser({ onError: refuse }).parseFromString(text, 'text/xml');
    let differs = false;
    for (const setting of settings) {
      const { parts, attribute } = splitKey(setting.key);
      const [value = ''] = textsOf(setting);
      for (const element of elementsAt(document, parts)) {
        const present = attribute === undefined ? element.textContent : element.getAttribute(attribute);
        if (present === value) continue;
        if (attribute === undefined) element.textContent = value;
        else element.setAttribute(attribute, value);
        differs = true;
      }
    }
    if (!differs) return text;
    const written = new XMLSerializer().serializeToString(document);
    return text.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written;
  },
};

function splitKey(key: string): { parts: Part[]; attribute: string | undefined } {
  const texts = key.match(/(?:\[[^\]]*\]|[^.[])+/g) ?? [];
  const last = texts.at(-1) ?? '';
  const attribute = last.startsWith('@') ? last.slice(1) : undefined;
  const parts = (attribute === undefined ? texts : texts.slice(0, -1)).map((text) => {
    const [, name, its, , value = ''] = PART.exec(text) ?? [];
    if (name === undefined) throw new SyntaxError(`"${text}" in the key "${key}" is no element`);
    return { name, ...(its !== undefined && { attribute: { name: its, value } }) };
  });
  return { parts, attribute };
}

/** Without such an element, the last one is added where its parents are. */
function elementsAt(document: Document, [root, ...parts]: readonly Part[]): Element[] {
  const top = document.documentElement;
  if (!top || !root || !isMeant(top, root)) throw new SyntaxError(`its first element is not ${root?.name ?? 'named'}`);
  return parts.reduce<Element[]>(
    (parents, part) => parents.flatMap((parent) => childrenOf(document, parent, part)),
    [top],
  );
}

function childrenOf(document: Document, parent: Element, part: Part): Element[] {
  const found = Array.from(parent.childNodes).filter((node) => node.nodeType === node.ELEMENT_NODE) as Element[];
  const meant = found.filter((element) => isMeant(element, part));
  if (meant.length > 0) return meant;
  const added = document.createElement(part.name);
  if (part.attribute) added.setAttribute(part.attribute.name, part.attribute.value);
  parent.appendChild(added);
  return [added];
}

function isMeant(element: Element, { name, attribute }: Part): boolean {
  return element.tagName === name && (!attribute || element.getAttribute(attribute.name) === attribute.value);
}

function refuse(level: string, message: string): void {
  if (level !== 'warning') throw new SyntaxError(message.split('\n')[0]);
}
