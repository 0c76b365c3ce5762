import { createSignal } from 'solid-js'
import { useChat } from './chat.js'

// No event reports that a user went away or stopped typing, so presence and typing notices expire by time.
const tickMs = 5000

/** The current time in ms as a signal; all components of the page share its timer, until `stop`. */
export function createNow(): { now: () => number; stop: () => void } {
  const [now, setNow] = createSignal(Date.now())
  const timer = setInterval(() => setNow(Date.now()), tickMs)
  return { now, stop: () => clearInterval(timer) }
}

export const useNow = (): (() => number) => useChat().now
