import { createRoot, createSignal } from 'solid-js'

// No event reports that a user went away or stopped typing, so presence and typing notices expire by time.
const tickMs = 5000

/** The current time as a signal; all components share one timer. */
const now = createRoot(() => {
  const [time, setTime] = createSignal(Date.now())
  setInterval(() => setTime(Date.now()), tickMs)
  return time
})

export const useNow = (): (() => number) => now
