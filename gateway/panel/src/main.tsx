import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './panel.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ready } from './first-requests.ts';
import { Panel } from './Panel.tsx';
import { Providers } from './Providers.tsx';
import { preloadPage } from './shell/Pages.tsx';
import { PartBoundary } from './ui/feedback/PartBoundary.tsx';
import { mayLeave } from './ui/form/unsaved.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
preloadPage(window.location.pathname);
void ready.then(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <Router base="/ui" aroundNav={(navigate, to, options) => mayLeave() && navigate(to, options)}>
          <PartBoundary>
            <Panel />
          </PartBoundary>
        </Router>
      </Providers>
    </StrictMode>,
  ),
);
