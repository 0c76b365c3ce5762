/** The step of an arrow key through lines, one below the other. */
export const lineStep = (key: string): 1 | -1 | undefined =>
  key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined

/** The suggestion after a step; the last is followed by the first. With `first` -1, one place beside the suggestions is that of the text itself. */
export function nextChoice(at: number, by: 1 | -1, count: number, first: 0 | -1): number {
  const places = count - first
  return places === 0 ? first : ((at - first + by + places) % places) + first
}
