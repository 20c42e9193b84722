import type { Phase } from '../ui/display/phase.ts';

export interface TabState {
  color: string;
  mark: string;
}

/** The most important phases first. */
const LEVELS: readonly (TabState & { phases: readonly Phase[] })[] = [
  { phases: ['crashed'], color: '#d9480f', mark: '✕' },
  { phases: ['provisioning', 'starting', 'stopping'], color: '#e0a800', mark: '◐' },
  { phases: ['running'], color: '#5f9e3b', mark: '●' },
];
const IDLE: TabState = { color: '#888d9a', mark: '○' };

export function tabStateOf(phases: readonly Phase[]): TabState {
  const level = LEVELS.find((each) => each.phases.some((phase) => phases.includes(phase)));
  return level ? { color: level.color, mark: level.mark } : IDLE;
}

/** Returns the tab's title, such as "● 1/2 Survival: Console · Gamekeeper". `phases`: absent until the servers are known. */
export function tabTitle(phases: readonly Phase[] | undefined, page: string | undefined): string {
  const running = phases?.filter((phase) => phase === 'running').length;
  const state = phases ? `${tabStateOf(phases).mark} ${running}/${phases.length} ` : '';
  return page === undefined ? `${state}Gamekeeper` : `${state}${page} · Gamekeeper`;
}
