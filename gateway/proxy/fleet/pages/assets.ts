import type { FastifyInstance } from 'fastify';

/** They change with the version of Gamekeeper only. */
const AGE_S = 3600;

/** Added to the style of all pages. */
const FLEET_STYLE = `
.wide.live main, .wide main:has(.scroll) { max-width: 80rem; }
.scroll { overflow-x: auto; margin: .5rem 0; }
.scroll table { width: 100%; border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
.scroll th, .scroll td { padding: .35rem .6rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
.scroll th a { color: inherit; } .scroll td.number, .scroll th.number { text-align: right; }
.scroll td:first-child { white-space: normal; min-width: 9rem; overflow-wrap: anywhere; }
.scroll tbody tr:hover { background: var(--hover); }
.label { display: inline-block; margin: 0 .25rem 0 0; padding: 0 .4rem; border: 1px solid var(--line); border-radius: 9px; font-size: 12px; color: var(--dim); }
.state { font-weight: 600; } .state.bad { color: var(--danger); } .state.off { color: var(--dim); }
.summary { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1rem 0; padding: 0; list-style: none; } .summary strong { font-size: 1.2rem; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.chart { display: block; width: 100%; height: 7rem; background: var(--page); border: 1px solid var(--line); border-radius: 6px; }
.chart polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 6px; font-size: 13px; }
`;

/** Loads the page again now and then, and replaces what it shows. Whoever is about to type or select something is left alone. */
const LIVE_SCRIPT = `
const EVERY_MS = 15_000;

async function refresh() {
  const shown = document.getElementById('live');
  if (!shown || document.hidden || !getSelection().isCollapsed) return;
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const next = page.getElementById('live');
  if (!next) return;
  const focused = shown.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  const scroll = shown.querySelector('.scroll')?.scrollLeft ?? 0;
  shown.replaceWith(next);
  if (focused !== null) next.querySelector('a[href="' + CSS.escape(focused) + '"]')?.focus({ preventScroll: true });
  const part = next.querySelector('.scroll');
  if (part) part.scrollLeft = scroll;
}

setInterval(() => void refresh().catch(() => undefined), EVERY_MS);
`;

export function fleetAssets(app: FastifyInstance): void {
  const serve = (path: string, type: string, text: string) =>
    app.get(path, (_request, reply) =>
      reply
        .headers({ 'cache-control': `max-age=${AGE_S}`, 'x-content-type-options': 'nosniff' })
        .type(`${type}; charset=utf-8`)
        .send(text),
    );
  serve('/assets/fleet.css', 'text/css', FLEET_STYLE);
  serve('/assets/live.js', 'text/javascript', LIVE_SCRIPT);
}
