import { Tooltip } from '@mantine/core';
import { useTimeout, useWindowEvent } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import { useWords } from '../../text/section.ts';
import { PlainIconButton } from '../button/PlainIconButton.tsx';
import { uiText } from '../ui-text.ts';
import { useCopy } from './use-copy.ts';

/** As the theme's tooltips. Milliseconds. */
const TIP_DELAY_MS = 300;

export function CopyText({ value, label, monospace = false }: { value: string; label?: string; monospace?: boolean }) {
  const t = useWords(uiText);
  const { copied, copy } = useCopy();
  const button = useRef<HTMLButtonElement>(null);
  // Mounted only while it is shown: a page may have many.
  const [hasTip, setHasTip] = useState(false);
  const { start, clear } = useTimeout(() => setHasTip(true), TIP_DELAY_MS);
  return (
    <div className="copy-text">
      <span className="small-text truncated" data-monospace={monospace || undefined} title={value}>
        {label ?? value}
      </span>
      <PlainIconButton
        ref={button}
        subtle
        onClick={() => copy(value)}
        onPointerEnter={({ pointerType }: PointerEvent) => pointerType === 'mouse' && start()}
        onPointerLeave={() => {
          clear();
          setHasTip(false);
        }}
        aria-label={`${t('copy')}: ${value}`}
      >
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </PlainIconButton>
      {hasTip && <Tip target={button} label={copied ? t('copied') : t('copy')} onClose={() => setHasTip(false)} />}
    </div>
  );
}

interface TipProps {
  target: RefObject<HTMLButtonElement | null>;
  label: string;
  onClose: () => void;
}

function Tip({ target, label, onClose }: TipProps) {
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && onClose());
  return <Tooltip opened target={target} label={label} />;
}
