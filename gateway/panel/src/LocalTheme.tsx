import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useWords } from './text/section.ts';
import { theme, tints } from './theme.ts';
import { uiText } from './ui/ui-text.ts';

/** The look, and the names of those buttons that Mantine itself draws without one. */
export function LocalTheme({ children }: { children: ReactNode }) {
  const close = useWords(uiText)('close');
  const named = useMemo(
    () => mergeThemeOverrides(theme, { components: { CloseButton: { defaultProps: { 'aria-label': close } } } }),
    [close],
  );
  return (
    <MantineProvider theme={named} defaultColorScheme="auto" cssVariablesResolver={tints}>
      {children}
    </MantineProvider>
  );
}
