/** On Paper and its relatives the Nether and the End are folders of their own, beside the world's. */
const DIMENSIONS = ['_nether', '_the_end'] as const;

/** Returns the names of the folders that belong to a world: its own first. */
export function worldFolders(folder: string): string[] {
  return [folder, ...DIMENSIONS.map((dimension) => `${folder}${dimension}`)];
}

/** Returns whether a folder is the Nether or the End of another one of these. */
export function isDimension(folder: string, all: ReadonlySet<string>): boolean {
  return DIMENSIONS.some((dimension) => folder.endsWith(dimension) && all.has(folder.slice(0, -dimension.length)));
}
