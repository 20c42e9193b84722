/**
 * Copies a text to the clipboard. Returns false if the browser forbids it. Pages from another machine without TLS have no
 * `navigator.clipboard`, which needs a secure context; there it copies a selection as Ctrl+C does.
 */
export async function copyText(text: string): Promise<boolean> {
  // TypeScript's library declares it as always present.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return copySelected(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // This needs no permission.
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.style.cssText = 'position: fixed; opacity: 0';
  // A dialog keeps the focus inside itself.
  (before?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}
