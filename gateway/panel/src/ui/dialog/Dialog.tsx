import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';

/** A menu item that opens a dialog is gone from the page when the dialog opens. */
let lastFocused: Element | null = null;
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target instanceof Element ? target : null;
});

/**
 * A dialog that returns the focus to what opened it, or if that is gone to the dialog below. Mantine's `returnFocus` fails for dialogs that are mounted only while open, and
 * for those that a menu item opens. `keepTyped`: a click outside does not close it.
 */
export function Dialog({ opened, keepTyped = false, ...props }: ModalProps & { keepTyped?: boolean }) {
  useEffect(() => {
    if (!opened) return;
    const opener = openerOf(document.activeElement === document.body ? lastFocused : document.activeElement);
    const dialogBelow = opener?.closest<HTMLElement>('[role=dialog]');
    return () => {
      // After the dialog has released the focus.
      setTimeout(() => {
        if (opener?.isConnected) opener.focus();
        else if (dialogBelow?.isConnected) dialogBelow.focus();
        else document.getElementById('content')?.focus();
      });
    };
  }, [opened]);
  return <Modal opened={opened} returnFocus={false} closeOnClickOutside={!keepTyped} {...props} />;
}

/** Returns the element itself or, for a menu item, the menu's button. */
function openerOf(element: Element | null): HTMLElement | null {
  const button = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : element;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
