/** Waits until a condition is true; only a failing test waits long. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 5) {
    if (waited > 10_000) throw new Error(`did not come: ${isSo}`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
