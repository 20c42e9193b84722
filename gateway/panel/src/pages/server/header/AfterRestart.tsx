import { Text, VisuallyHidden } from '@mantine/core';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { afterRestart, type ShownSetting } from '../running-values.ts';
import { pendingText } from './pending-text.ts';

interface AfterRestartProps {
  instance: Instance;
  setting: ShownSetting;
  format?: (value: string) => string;
}

/** What a value that the server runs with becomes at its next start, beside that value. Not on a phone, where the bar names it. */
export function AfterRestart({ instance, setting, format = (value) => value }: AfterRestartProps) {
  const t = useWords(pendingText);
  const configured = afterRestart(instance, setting);
  if (configured === undefined) return null;
  const value = format(configured);
  const text = t('afterRestart', { value });
  return (
    <Text span size="sm" c="dimmed" visibleFrom="sm" title={text} style={{ flexShrink: 0 }}>
      <span aria-hidden>→ {value}</span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </Text>
  );
}
