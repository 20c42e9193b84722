import { html } from '../../../../shared/node/html.ts';
import { page, problemNote, timeOf } from '../../pages/page.ts';
import { button, list, row } from '../../pages/rows.ts';
import type { ScrapeToken } from '../prometheus/scrape-tokens.ts';

export interface PrometheusPageOptions {
  issuer: string;
  tokens: readonly ScrapeToken[];
  /** Just added: shown once. */
  added?: string;
  problem?: string;
}

/** Tokens for a Prometheus, and how it is configured. */
export function prometheusPage({ issuer, tokens, added, problem }: PrometheusPageOptions): string {
  const secret =
    added === undefined
      ? ''
      : html`<div class="note" role="status"><p>The token, which is shown only now. Save it as <code>gamekeeper-token</code> beside <code>prometheus.yml</code>:</p><p><code>${added}</code></p></div>`;
  return page({
    title: 'Prometheus',
    wide: true,
    isLive: true,
    body: html`<p><a href="/fleet">Overview</a></p>${problemNote(problem)}${secret}
<p>A Prometheus finds your computers here and reads the metrics of each. The token is good for nothing else.</p>
<h2>Tokens</h2>${list(
      tokens.map(({ id, createdAt }) =>
        row(
          html`<p>Created ${timeOf(createdAt)}</p>`,
          button(`/fleet/prometheus/${id}/remove`, 'Remove', 'danger', 'Token'),
        ),
      ),
      html`<p>None yet.</p>`,
    )}<form class="add" method="post" action="/fleet/prometheus"><button>Create a token</button></form>
<h2>Configuration</h2><pre tabindex="0">${configuration(issuer)}</pre>`,
  });
}

function configuration(issuer: string): string {
  return `scrape_configs:
  - job_name: gamekeeper
    honor_labels: true # our "instance" is the game server
    scrape_interval: 1m
    authorization: { type: Bearer, credentials_file: gamekeeper-token }
    http_sd_configs:
      - url: ${issuer}/api/fleet/prometheus-targets
        authorization: { type: Bearer, credentials_file: gamekeeper-token }`;
}
