import { type Html, html } from '../../../../shared/node/html.ts';
import { page } from '../../pages/page.ts';
import { linkButton } from '../../pages/rows.ts';
import type { DaemonDomain } from '../../panel/daemon-domain.ts';
import type { FleetDaemon } from '../fleet.ts';
import type { FleetPage, FleetQuery, SortKey } from '../fleet-query.ts';
import { agoOf, known, sizeOf } from './words.ts';

export interface FleetPageOptions {
  issuer: string;
  query: FleetQuery;
  found: FleetPage;
  /** The account has computers, whatever was searched. */
  hasAny: boolean;
  /** Absent: there are no panels. */
  panelDomain: DaemonDomain | undefined;
  /** Milliseconds. */
  now: number;
}

const STATES = {
  '': 'Any state',
  online: 'Online',
  offline: 'Offline',
  crashed: 'With a crashed server',
  degraded: 'With a problem',
  unreported: 'Without reports',
} as const;

/** All computers of an account. Works without script: filters and sorting are in the address. */
export function fleetPage({ issuer, query, found, hasAny, panelDomain, now }: FleetPageOptions): string {
  return page({
    title: 'Overview',
    wide: true,
    isLive: true,
    body: html`<div class="bar"><p><a href="/account">Your account</a></p><p><a href="/fleet/alerts">Alerts</a> &middot; <a href="/fleet/prometheus">Prometheus</a></p></div>
${hasAny ? html`${searchForm(query)}<div id="live">${summaryOf(found)}${tableOf(found, query, { panelDomain, now })}${pagesOf(found, query)}</div>` : html`<p>No computers yet. On the computer with your servers, run <code>gamekeeper link ${issuer} --telemetry</code>.</p>`}`,
  });
}

function searchForm({ search, label, state, sort }: FleetQuery): Html {
  const options = Object.entries(STATES).map(
    ([value, name]) => html`<option value="${value}"${value === state ? html` selected` : ''}>${name}</option>`,
  );
  return html`<form class="search" method="get" action="/fleet" role="search">
<label>Search<input type="search" name="search" value="${search}" maxlength="128" placeholder="Name, version or label"></label>
<label>Label<input name="label" value="${label.join(',')}" maxlength="128" placeholder="region=eu"></label>
<label>State<select name="state">${options}</select></label>
<input type="hidden" name="sort" value="${sort}"><button>Show</button></form>`;
}

function summaryOf({ total, summary }: FleetPage): Html {
  const { online, servers, running, crashed, players } = summary;
  return html`<ul class="summary"><li><strong>${online}</strong> of ${total} computers online</li>
<li><strong>${running}</strong> of ${servers} servers running</li>${crashed > 0 ? html`<li class="state bad"><strong>${crashed}</strong> crashed</li>` : ''}<li><strong>${players}</strong> players</li></ul>`;
}

const COLUMNS: readonly { key: SortKey; title: string; isNumber?: true; descends?: true }[] = [
  { key: 'name', title: 'Computer' },
  { key: 'state', title: 'State' },
  { key: 'version', title: 'Version' },
  { key: 'servers', title: 'Servers', isNumber: true, descends: true },
  { key: 'players', title: 'Players', isNumber: true, descends: true },
  { key: 'cpu', title: 'CPU', isNumber: true, descends: true },
  { key: 'memory', title: 'Memory', isNumber: true, descends: true },
  { key: 'disk', title: 'Disk free', isNumber: true },
  { key: 'backup', title: 'Last backup' },
  { key: 'seen', title: 'Last seen', descends: true },
];

type RowOptions = Pick<FleetPageOptions, 'panelDomain' | 'now'>;

function tableOf({ daemons }: FleetPage, query: FleetQuery, options: RowOptions): Html {
  if (daemons.length === 0) return html`<p role="status">No computer matches.</p>`;
  const heads = COLUMNS.map(({ key, title, isNumber, descends }) => {
    const first = descends ? `-${key}` : key;
    const second = descends ? key : `-${key}`;
    const isSorted = query.sort === first || query.sort === second;
    const order = isSorted ? html` aria-sort="${query.sort.startsWith('-') ? 'descending' : 'ascending'}"` : '';
    const mark = isSorted ? (query.sort.startsWith('-') ? ' ▾' : ' ▴') : '';
    const link = addressOf({ ...query, sort: query.sort === first ? second : first, page: 1 });
    return html`<th scope="col"${isNumber ? html` class="number"` : ''}${order}><a href="${link}">${title}</a>${mark}</th>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Computers"><table><thead><tr>${heads}${options.panelDomain === undefined ? '' : html`<th scope="col">Panel</th>`}</tr></thead><tbody>${daemons.map((daemon) => rowOf(daemon, options))}</tbody></table></div>`;
}

function rowOf(daemon: FleetDaemon, { panelDomain, now }: RowOptions): Html {
  const { daemonId, name, state, labels, lastSeen, telemetry } = daemon;
  const shown = Object.entries(labels).map(([key, value]) => html`<span class="label">${key}=${value}</span>`);
  const number = (text: Html) => html`<td class="number">${text}</td>`;
  return html`<tr><td><a href="/fleet/${daemonId}">${name}</a> ${shown}</td><td>${stateOf(state, telemetry)}</td>
<td>${known(telemetry?.version, String)}</td>${number(known(telemetry, ({ running, instances }) => `${running} / ${instances}`))}${number(known(telemetry?.players, Number))}
${number(known(telemetry?.cpuPercent, (percent) => `${Math.round(percent)} %`))}${number(known(telemetry, ({ memoryUsedBytes, memoryTotalBytes }) => `${sizeOf(memoryUsedBytes)} / ${sizeOf(memoryTotalBytes)}`))}
${number(known(telemetry?.diskFreeBytes, sizeOf))}<td>${known(telemetry?.lastBackupAt, (at) => agoOf(at, now))}</td><td>${state === 'online' ? 'now' : known(lastSeen, (at) => agoOf(at, now))}</td>
${panelDomain === undefined ? '' : html`<td>${linkButton(`${panelDomain.originOf(daemon)}/`, 'Open panel', 'plain', name)}</td>`}</tr>`;
}

/** In words, not by colour alone. */
export function stateOf(state: FleetDaemon['state'], telemetry: FleetDaemon['telemetry']): Html {
  if (state === 'offline') return html`<span class="state off">Offline</span>`;
  if (telemetry?.crashed) return html`<span class="state bad">${telemetry.crashed} crashed</span>`;
  if (telemetry?.health === 'degraded') return html`<span class="state bad">Problem</span>`;
  return html`<span class="state">Online</span>${telemetry === null ? html` <span class="dim">no reports</span>` : ''}`;
}

function pagesOf({ total, page: current, limit }: FleetPage, query: FleetQuery): Html {
  const last = Math.ceil(total / limit);
  if (last <= 1) return html``;
  const link = (to: number, text: string) =>
    to >= 1 && to <= last ? html`<a href="${addressOf({ ...query, page: to })}">${text}</a>` : '';
  return html`<nav class="pages" aria-label="Pages">${link(current - 1, 'Previous')}<span>Page ${current} of ${last}</span>${link(current + 1, 'Next')}</nav>`;
}

function addressOf({ search, label, state, sort, page: to, limit }: FleetQuery): string {
  const parameters = new URLSearchParams();
  if (search !== '') parameters.set('search', search);
  for (const one of label) parameters.append('label', one);
  if (state !== '') parameters.set('state', state);
  parameters.set('sort', sort);
  if (to !== 1) parameters.set('page', String(to));
  if (limit !== 100) parameters.set('limit', String(limit));
  return `/fleet?${parameters}`;
}
