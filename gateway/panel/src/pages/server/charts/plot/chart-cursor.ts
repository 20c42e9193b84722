import type uPlot from 'uplot';

/** uPlot hides the cursor at negative positions. */
const HIDDEN = -10;
/** Points that Page Up and Page Down move. */
const PAGE = 10;

/** `publish` also moves the cursors of synced charts. It is missing in uPlot's types (leeoniya/uPlot, src/uPlot.js, setCursor). */
type SetCursor = (position: { left: number; top: number }, fireHook: boolean, publish: boolean) => void;

/** Moves the chart's cursor by touch and keyboard; uPlot itself handles only the mouse. Returns a function that ends it. */
export function followTouchAndKeys(chart: uPlot, host: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  function moveTo(left: number): void {
    (chart.setCursor as SetCursor)({ left, top: left < 0 ? HIDDEN : 0 }, true, true);
  }

  function onPointer({ pointerType, clientX }: PointerEvent): void {
    if (pointerType !== 'mouse') moveTo(clientX - chart.over.getBoundingClientRect().left);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [first, last] = chart.series[0]?.idxs ?? [0, 0];
    const next = nextIndex(event.key, chart.cursor.idx ?? last + 1, { first, last });
    if (next !== undefined) moveTo(Math.max(0, chart.valToPos(chart.data[0][next] ?? 0, 'x')));
    else if (event.key === 'Escape') moveTo(HIDDEN);
    else return;
    event.preventDefault();
  }

  for (const type of ['pointerdown', 'pointermove'] as const) host.addEventListener(type, onPointer, { signal });
  host.addEventListener('keydown', onKey, { signal });
  host.addEventListener('blur', () => moveTo(HIDDEN), { signal });
  return () => ended.abort();
}

/** Returns the shown point that a slider's key leads to (WAI-ARIA APG, "Slider"); `undefined` for any other key. */
export function nextIndex(
  key: string,
  from: number,
  { first, last }: { first: number; last: number },
): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - PAGE,
    PageUp: from + PAGE,
    Home: first,
    End: last,
  };
  const next = targets[key];
  return next === undefined ? undefined : Math.min(last, Math.max(first, next));
}
