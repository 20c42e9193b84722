import t, { type Test } from 'tap';
import { copyText } from '../../../../../gateway/panel/src/ui/copy/copy-text.ts';

/** A page on which the old way of copying works, or fails. Returns the texts that were copied with it. */
function page(t: Test, { works = true } = {}): string[] {
  const copied: string[] = [];
  let field: { value: string } | undefined;
  const document = {
    activeElement: null,
    body: { append: () => undefined },
    createElement: () => {
      field = { value: '' };
      return Object.assign(field, { style: {}, select: () => undefined, remove: () => undefined });
    },
    execCommand: () => {
      if (works) copied.push(field?.value ?? '');
      return works;
    },
  };
  t.intercept(globalThis, 'document', { value: document, configurable: true });
  t.intercept(globalThis, 'HTMLElement', { value: class {}, configurable: true });
  return copied;
}

function clipboard(t: Test, writeText?: (text: string) => Promise<void>): void {
  const value = writeText ? { clipboard: { writeText } } : {};
  t.intercept(globalThis, 'navigator', { value, configurable: true });
}

t.test('a text is copied with the clipboard API', async (t) => {
  const written: string[] = [];
  const selected = page(t);
  clipboard(t, async (text) => void written.push(text));
  t.ok(await copyText('hello'));
  t.same(written, ['hello']);
  t.same(selected, []);
});

t.test('a page without the API copies a selection', async (t) => {
  const selected = page(t);
  clipboard(t);
  t.ok(await copyText('hello'));
  t.same(selected, ['hello']);
});

t.test('so does a page without permission', async (t) => {
  const selected = page(t);
  clipboard(t, () => Promise.reject(new Error('NotAllowedError')));
  t.ok(await copyText('hello'));
  t.same(selected, ['hello']);
});

t.test('reports that nothing could be copied', async (t) => {
  page(t, { works: false });
  clipboard(t);
  t.notOk(await copyText('hello'));
});
