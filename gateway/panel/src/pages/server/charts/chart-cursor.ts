import type uPlot from 'uplot';

/** uPlot hides the cursor at negative positions. */
const HIDDEN = { left: -10, top: -10 };
/** Points that Page Up and Page Down move. */
const PAGE = 10;

/** Moves the chart's cursor by touch and keyboard; uPlot itself handles only the mouse. Returns a function that ends it. */
export function followTouchAndKeys(chart: uPlot, host: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  function onPointer({ pointerType, clientX }: PointerEvent): void {
    if (pointerType === 'mouse') return;
    chart.setCursor({ left: clientX - chart.over.getBoundingClientRect().left, top: 0 });
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const last = chart.data[0].length - 1;
    const next = nextIndex(event.key, chart.cursor.idx ?? last + 1, last);
    if (next !== undefined) chart.setCursor({ left: chart.valToPos(chart.data[0][next] ?? 0, 'x'), top: 0 });
    else if (event.key === 'Escape') chart.setCursor(HIDDEN);
    else return;
    event.preventDefault();
  }

  for (const type of ['pointerdown', 'pointermove'] as const) host.addEventListener(type, onPointer, { signal });
  host.addEventListener('keydown', onKey, { signal });
  host.addEventListener('blur', () => chart.setCursor(HIDDEN), { signal });
  return () => ended.abort();
}

/** Returns the point that a slider's key leads to (WAI-ARIA APG, "Slider"); `undefined` for any other key. */
export function nextIndex(key: string, from: number, last: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - PAGE,
    PageUp: from + PAGE,
    Home: 0,
    End: last,
  };
  const next = targets[key];
  return next === undefined ? undefined : Math.min(last, Math.max(0, next));
}
