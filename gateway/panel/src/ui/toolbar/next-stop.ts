/** Returns the index of the button that a key moves to; `undefined` if it does not move, or if the focus is on no button (`at` is -1). */
export function nextStop(key: string, { at, count }: { at: number; count: number }): number | undefined {
  if (at === -1) return undefined;
  switch (key) {
    case 'ArrowLeft':
      return (at + count - 1) % count;
    case 'ArrowRight':
      return (at + 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
