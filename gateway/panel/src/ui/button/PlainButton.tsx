import { Button, Loader, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

const { root, inner, section, label, loader } = Button.classes;
const CLASSES = `mantine-focus-auto plain-button ${root} ${UnstyledButton.classes.root}`;

interface PlainButtonProps {
  /** Green, for the action that starts something. */
  starts?: boolean;
  icon: ReactNode;
  children: ReactNode;
  onClick: () => void;
  loading?: boolean;
  disabled?: boolean;
}

/** Looks like Mantine's `Button`, whose styles are computed for each button anew: too slow for a page with many. */
export function PlainButton({ starts, icon, children, onClick, loading = false, disabled = false }: PlainButtonProps) {
  const isOff = disabled || loading;
  return (
    <button
      type="button"
      className={isOff ? CLASSES : `${CLASSES} mantine-active`}
      data-starts={starts || undefined}
      data-loading={loading || undefined}
      data-with-left-section
      disabled={isOff}
      onClick={onClick}
    >
      {loading && (
        <span className={`plain-button-loader ${loader}`} aria-hidden>
          <Loader color="var(--button-color)" size="calc(var(--button-height) / 1.8)" />
        </span>
      )}
      <span className={inner}>
        <span className={section} data-position="left">
          {icon}
        </span>
        <span className={label} data-loading={loading || undefined}>
          {children}
        </span>
      </span>
    </button>
  );
}
