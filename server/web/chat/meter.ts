import { createSignal } from 'solid-js'

export interface Meter {
  /** Events per second, over the last seconds. */
  readonly rate: () => number
  /** Median response time of the last requests in ms; undefined before the first. */
  readonly delay: () => number | undefined
  event(): void
  answered(ms: number): void
  stop(): void
}

// Long enough for a readable number, short enough to follow changes.
const windowSeconds = 5
const delaysKept = 5

/** Measures the figures in the corner. Counting an event is one addition; the figures are computed once a second. */
export function createMeter(): Meter {
  const [rate, setRate] = createSignal(0)
  const [delay, setDelay] = createSignal<number>()
  const counts = new Array<number>(windowSeconds).fill(0)
  const delays: number[] = []
  const timer = setInterval(() => {
    setRate(counts.reduce((sum, count) => sum + count, 0) / windowSeconds)
    counts.pop()
    counts.unshift(0)
  }, 1000)
  return {
    rate,
    delay,
    event() {
      counts[0] = (counts[0] ?? 0) + 1
    },
    answered(ms) {
      delays.push(ms)
      if (delays.length > delaysKept) delays.shift()
      setDelay([...delays].sort((a, b) => a - b)[delays.length >> 1])
    },
    stop: () => clearInterval(timer),
  }
}
