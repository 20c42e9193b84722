import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './panel.css';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { queryClient } from './api/transport/query-client.ts';
import { LocalTheme } from './LocalTheme.tsx';
import { Panel } from './Panel.tsx';
import { loadAhead } from './shell/load-ahead.ts';
import { LanguageProvider } from './text/LanguageProvider.tsx';
import { mayLeave } from './ui/form/unsaved.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
loadAhead(window.location.pathname);
createRoot(root).render(
  <StrictMode>
    <LanguageProvider>
      <LocalTheme>
        <QueryClientProvider client={queryClient}>
          <Notifications position="top-center" transitionDuration={120} />
          <Router base="/ui" aroundNav={(navigate, to, options) => mayLeave() && navigate(to, options)}>
            <Panel />
          </Router>
        </QueryClientProvider>
      </LocalTheme>
    </LanguageProvider>
  </StrictMode>,
);
