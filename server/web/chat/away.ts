import { createSignal } from 'solid-js'

// Most interruptions are shorter, and the corner shows them.
const patienceMs = 4000

/**
 * Follows whether the page has no connection for longer than a moment; at its start, as soon as an attempt has failed.
 * `since`: the moment in ms of the state that the page shows meanwhile. `savedAt`: that of a kept state.
 */
export function createAway(savedAt: number | undefined) {
  const [since, setSince] = createSignal<number>()
  let last = savedAt
  let wasLive = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    since,
    stop,
    changed(isLive: boolean, hasFailed: boolean): void {
      if (isLive) {
        stop()
        setSince(undefined)
      } else if (wasLive) {
        last = Date.now()
        timer = setTimeout(() => setSince(last), patienceMs)
      } else if (hasFailed && timer === undefined) setSince(last)
      wasLive = isLive
    },
  }
}
