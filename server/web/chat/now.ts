import { createRoot, createSignal } from 'solid-js'

// Nobody tells that somebody went away or stopped typing: what was said of them runs out.
const tickMs = 5000

/** The time, for what changes with it. One clock for all. */
const now = createRoot(() => {
  const [time, setTime] = createSignal(Date.now())
  setInterval(() => setTime(Date.now()), tickMs)
  return time
})

export const useNow = (): (() => number) => now
