import type { Session } from './session.ts';

/** Resolves to all pages of a list. `address` has a query. */
export async function allPages<Page extends { next?: string | undefined }>(
  { api }: Session,
  address: string,
): Promise<Page[]> {
  const pages: Page[] = [];
  let next: string | undefined;
  do {
    const cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
    const { body } = await api.request<Page>('GET', `${address}${cursor}`);
    pages.push(body);
    next = body.next;
  } while (next !== undefined);
  return pages;
}
