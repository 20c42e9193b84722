import type uPlot from 'uplot';

/** What uPlot takes for "beside the chart": nothing is pointed at. */
const NOWHERE = { left: -10, top: -10 };
/** Points that a page is long. */
const PAGE = 10;

/** Lets fingers and keys point at a time; the mouse uPlot follows itself. Returns how to stop. */
export function followFingersAndKeys(chart: uPlot, host: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;

  function onPointer({ pointerType, clientX }: PointerEvent): void {
    if (pointerType === 'mouse') return;
    chart.setCursor({ left: clientX - chart.over.getBoundingClientRect().left, top: 0 });
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const last = chart.data[0].length - 1;
    const next = nextIndex(event.key, chart.cursor.idx ?? last + 1, last);
    if (next !== undefined) chart.setCursor({ left: chart.valToPos(chart.data[0][next] ?? 0, 'x'), top: 0 });
    else if (event.key === 'Escape') chart.setCursor(NOWHERE);
    else return;
    event.preventDefault();
  }

  for (const type of ['pointerdown', 'pointermove'] as const) host.addEventListener(type, onPointer, { signal });
  host.addEventListener('keydown', onKey, { signal });
  host.addEventListener('blur', () => chart.setCursor(NOWHERE), { signal });
  return () => stop.abort();
}

/** The keys of a slider (WAI-ARIA APG); `undefined`: the key is none of them. */
function nextIndex(key: string, from: number, last: number): number | undefined {
  const wanted: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - PAGE,
    PageUp: from + PAGE,
    Home: 0,
    End: last,
  };
  const next = wanted[key];
  return next === undefined ? undefined : Math.min(last, Math.max(0, next));
}
