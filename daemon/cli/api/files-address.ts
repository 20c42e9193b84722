/** Returns the address of a route of an instance's files. */
export function filesAddress(id: string, route: string, query: Record<string, string>): string {
  return `/instances/${encodeURIComponent(id)}/files${route}?${new URLSearchParams(query)}`;
}
