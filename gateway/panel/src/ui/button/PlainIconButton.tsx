import { ActionIcon, UnstyledButton } from '@mantine/core';
import type { ComponentProps } from 'react';

const { root, icon } = ActionIcon.classes;
const CLASSES = `mantine-focus-auto mantine-active plain-icon-button ${root} ${UnstyledButton.classes.root}`;

interface PlainIconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  'aria-label': string;
  /** Small and without a border. */
  subtle?: boolean;
}

/** Looks like Mantine's `ActionIcon`, for a page with many, as `PlainButton`. */
export function PlainIconButton({ subtle, children, ...others }: PlainIconButtonProps) {
  return (
    <button {...others} type="button" className={CLASSES} data-subtle={subtle || undefined}>
      <span className={icon}>{children}</span>
    </button>
  );
}
