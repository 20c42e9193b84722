import '../../ui/brand/landscape.css';
import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../text/section.ts';
import { Landscape } from '../../ui/brand/Landscape.tsx';
import { Logo } from '../../ui/brand/Logo.tsx';
import { signInText } from './sign-in-text.ts';

/** The page before the panel: a form beside a landscape, or below it on a phone. */
export function SignInFrame({ children }: { children: ReactNode }) {
  const t = useWords(signInText);
  return (
    <div className="sign-in">
      <div className="sign-in-scene">
        <Landscape />
        <Text className="sign-in-promise" component="p">
          {t('promise')}
        </Text>
      </div>
      <Stack component="main" className="sign-in-form" justify="center" gap="xl">
        <Box className="sign-in-logo">
          <Logo size={32} />
        </Box>
        {children}
      </Stack>
    </div>
  );
}
