import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';

/** What had the focus last; where that was an item of a menu, it is no longer on the page when the dialog opens. */
let lastFocused: Element | null = null;
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target instanceof Element ? target : null;
});

/**
 * A dialog that gives the focus back to what opened it. Mantine's own way knows neither dialogs that are there only while they are
 * open, nor those that an item of a menu opens, which is gone by then.
 */
export function Dialog({ opened, keepTyped = false, ...props }: ModalProps & { keepTyped?: boolean }) {
  useEffect(() => {
    if (!opened) return;
    const opener = openerOf(document.activeElement === document.body ? lastFocused : document.activeElement);
    return () => {
      // Once the dialog no longer holds the focus.
      setTimeout(() => {
        if (opener?.isConnected) opener.focus();
        else document.getElementById('content')?.focus();
      });
    };
  }, [opened]);
  return <Modal opened={opened} returnFocus={false} closeOnClickOutside={!keepTyped} {...props} />;
}

/** What has the focus; for an item of a menu, the button that shows the menu. */
function openerOf(element: Element | null): HTMLElement | null {
  const button = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : element;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
