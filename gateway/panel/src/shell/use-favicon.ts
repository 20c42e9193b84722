import { useEffect } from 'react';
import { useInstances } from '../api/instances.ts';
import { type Phase, phaseOf } from '../ui/display/phase.tsx';

/** From the worst down: the first of these that any server is in is what the tab shows. */
const WORST_FIRST: readonly { phases: readonly Phase[]; color: string; mark: string }[] = [
  { phases: ['crashed'], color: '#d9480f', mark: '✕' },
  { phases: ['provisioning', 'starting', 'stopping'], color: '#e0a800', mark: '◐' },
  { phases: ['running'], color: '#5f9e3b', mark: '●' },
];
const QUIET = { color: '#8b9085', mark: '○' };

/** The browser tab's icon and title tell the state of the worst server, for those who look at another tab; the title also the page. */
export function useFavicon(page: string | undefined): void {
  const instances = useInstances().data;
  const phases = instances?.map(phaseOf) ?? [];
  const { color, mark } = WORST_FIRST.find((level) => level.phases.some((phase) => phases.includes(phase))) ?? QUIET;
  const running = phases.filter((phase) => phase === 'running').length;
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]') ?? document.createElement('link');
    link.rel = 'icon';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${color}"/></svg>`;
    link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    document.head.append(link);
    const state = instances ? `${mark} ${running}/${phases.length} ` : '';
    document.title = [`${state}${page ?? 'Gamekeeper'}`, ...(page === undefined ? [] : ['Gamekeeper'])].join(' · ');
  }, [color, mark, running, phases.length, instances, page]);
}
