import { type Html, html } from '../../../../shared/node/html.ts';
import { page, problemNote } from '../../pages/page.ts';
import { PANEL_OFF } from '../../pages/panel-page.ts';
import { linkButton } from '../../pages/rows.ts';
import type { FleetDaemon, FleetInstance } from '../fleet.ts';
import type { FleetHistory, HistoryRange } from '../history.ts';
import { showLabels } from '../labels.ts';
import { chart } from './chart.ts';
import { stateOf } from './fleet-page.ts';
import { agoOf, known, sizeOf } from './words.ts';

export interface ComputerPageOptions {
  daemon: FleetDaemon;
  instances: readonly FleetInstance[];
  /** Servers that are not in the list. */
  more: number;
  history: FleetHistory;
  range: HistoryRange;
  /** Of its panel. Absent: there are no panels. */
  panelOrigin: string | undefined;
  /** Milliseconds. */
  now: number;
}

/** One computer: its servers, its history, its labels. */
export function computerPage(options: ComputerPageOptions, problem?: string): string {
  const { daemon, panelOrigin, now } = options;
  const { daemonId, name, labels, state, lastSeen, telemetry } = daemon;
  const report = telemetry
    ? html`, reported ${agoOf(telemetry.receivedAt, now)}`
    : html`. It reports nothing: turn that on there with <code>gamekeeper link --telemetry</code>`;
  const seen = state === 'online' ? '' : html`, last seen ${known(lastSeen, (at) => agoOf(at, now))}`;
  return page({
    title: name,
    wide: true,
    isLive: true,
    body: html`<p><a href="/fleet">Overview</a></p>${problemNote(problem)}
<div id="live"><p>${stateOf(state, telemetry)}${seen}${report}.</p>${telemetry ? reported(options) : ''}</div>
<h2>Panel</h2>${panelOrigin === undefined ? html`<p class="dim">${PANEL_OFF}</p>` : html`<p>${linkButton(`${panelOrigin}/`, 'Open panel')}</p>`}
<h2>Labels</h2><form method="post" action="/fleet/${daemonId}/labels"><label>Labels, such as region=eu, tier=paid<input name="labels" value="${showLabels(labels)}" maxlength="2000"></label><button>Save</button></form>`,
  });
}

function reported({
  daemon: { daemonId, telemetry },
  instances,
  more,
  history,
  range,
  now,
}: ComputerPageOptions): Html {
  const { version, health, cpuPercent, memoryUsedBytes, memoryTotalBytes, diskFreeBytes, diskTotalBytes } = telemetry!;
  const disk = known(diskFreeBytes, (free) => `${sizeOf(free)} of ${sizeOf(diskTotalBytes ?? 0)}`);
  const other =
    range === '48h'
      ? html`<a href="/fleet/${daemonId}?range=90d">90 days</a>`
      : html`<a href="/fleet/${daemonId}">48 hours</a>`;
  return html`<ul class="summary"><li>Version <strong>${version}</strong></li><li>Health <strong>${health}</strong></li><li>CPU <strong>${Math.round(cpuPercent)} %</strong></li>
<li>Memory <strong>${sizeOf(memoryUsedBytes)}</strong> of ${sizeOf(memoryTotalBytes)}</li><li>Disk free <strong>${disk}</strong></li></ul>
<h2>Servers</h2>${instances.length === 0 ? html`<p>None.</p>` : serverTable(instances, now)}${more > 0 ? html`<p class="dim">and ${more} more</p>` : ''}
<h2>Last ${range === '48h' ? '48 hours' : '90 days'} <span class="dim">(${other})</span></h2>
${chart({ history, title: 'Players', value: ({ playersMax }) => playersMax, show: (value) => `${Math.round(value)}` })}
${chart({ history, title: 'CPU', value: ({ cpuPercent: percent }) => percent, show: (value) => `${Math.round(value)} %` })}
${chart({ history, title: 'Memory', value: ({ memoryUsedBytes: bytes }) => bytes, show: sizeOf })}`;
}

function serverTable(instances: readonly FleetInstance[], now: number): Html {
  const rows = instances.map(
    ({
      name,
      software,
      phase,
      players,
      maxPlayers,
      cpuPercent,
      memoryBytes,
      lastBackupAt,
    }) => html`<tr><td>${name}</td><td>${software}</td>
<td><span class="state${phase === 'crashed' ? ' bad' : ''}">${phase}</span></td><td class="number">${known(players, (count) => (maxPlayers === undefined ? count : `${count} / ${maxPlayers}`))}</td>
<td class="number">${known(cpuPercent, (percent) => `${Math.round(percent)} %`)}</td><td class="number">${known(memoryBytes, sizeOf)}</td><td>${known(lastBackupAt, (at) => agoOf(at, now))}</td></tr>`,
  );
  const heads = ['Server', 'Software', 'Phase'].map((title) => html`<th scope="col">${title}</th>`);
  const numbers = ['Players', 'CPU', 'Memory'].map((title) => html`<th scope="col" class="number">${title}</th>`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Servers"><table><thead><tr>${heads}${numbers}<th scope="col">Last backup</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
