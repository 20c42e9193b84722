import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './panel.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { queryClient } from './api/query-client.ts';
import { Panel } from './Panel.tsx';
import { LanguageProvider } from './text/LanguageProvider.tsx';
import { theme } from './theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <LanguageProvider>
          <Notifications position="bottom-right" />
          <Router base="/ui">
            <Panel />
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
