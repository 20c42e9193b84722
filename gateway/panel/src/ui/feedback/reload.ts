import { hasUnsaved } from '../form/unsaved.ts';

const RELOADED_AT = 'gamekeeper.reloaded-at';
/** A part that is missing even after a reload must not reload the page for ever. Milliseconds. */
const RELOAD_AT_MOST_EVERY_MS = 30_000;

/** Reloads the page if Gamekeeper responds. Otherwise the browser would show its own error page. */
export async function reloadIfReachable(): Promise<void> {
  const answer = await fetch('/ui/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) window.location.reload();
}

/** The same without being asked: only if nothing is lost by it, and not again right away. */
export async function reloadByItself(): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (hasUnsaved() || Date.now() - last < RELOAD_AT_MOST_EVERY_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  await reloadIfReachable();
}
