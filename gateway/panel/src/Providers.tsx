import { MantineProvider, mergeThemeOverrides, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { queryClient } from './api/transport/query-client.ts';
import { LanguageContext, preferredLanguage, rememberLanguage } from './text/language.ts';
import { useWords } from './text/section.ts';
import { theme, tints } from './theme.ts';
import { uiText } from './ui/ui-text.ts';

export function Providers({ children }: { children: ReactNode }) {
  const [language, choose] = useState(preferredLanguage);
  useEffect(() => rememberLanguage(language), [language]);
  return (
    <LanguageContext value={{ language, choose }}>
      <LocalizedTheme>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </LocalizedTheme>
    </LanguageContext>
  );
}

/** Mantine's own close buttons have no accessible name. */
function LocalizedTheme({ children }: { children: ReactNode }) {
  const close = useWords(uiText)('close');
  const localized = useMemo(
    () => mergeThemeOverrides(theme, { components: { CloseButton: { defaultProps: { 'aria-label': close } } } }),
    [close],
  );
  return (
    <MantineProvider theme={localized} defaultColorScheme="auto" cssVariablesResolver={tints}>
      <FrameColor />
      {children}
    </MantineProvider>
  );
}

/** Gives the frame of the installed panel, or of a phone's browser, the colour of the page. */
function FrameColor() {
  const { colors, white } = useMantineTheme();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  return <meta name="theme-color" content={scheme === 'dark' ? colors.dark[7] : white} />;
}
