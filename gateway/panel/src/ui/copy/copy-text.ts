/**
 * Puts a text on the clipboard; false where the browser forbids it. Pages that another machine serves without TLS have no
 * `navigator.clipboard` (Clipboard API, "secure contexts"): there the text is selected, and copied as Ctrl+C does it.
 */
export async function copyText(text: string): Promise<boolean> {
  // TypeScript's library does not know of pages without it.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return copySelected(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // Permission was refused: the old way needs none.
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.style.cssText = 'position: fixed; opacity: 0';
  // Inside a dialog: what lies outside cannot have the focus.
  (before?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}
