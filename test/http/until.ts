const mostMs = 60_000

/** Waits until a condition is true; only a failing test waits a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const begin = performance.now()
  while (!(await isSo())) {
    if (performance.now() - begin > mostMs) throw new Error(`did not come: ${isSo}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
