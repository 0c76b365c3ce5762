/** What this process was asked by signals. */
export interface Signals {
  /** Resolves at the first request to stop. */
  readonly stopAsked: Promise<void>
  /** Aborts at the second one: whoever asks twice does not want to wait. */
  readonly hurry: AbortSignal
  /** What SIGHUP and SIGUSR2 ask for. */
  onRoll(roll: () => Promise<void>): void
}

// Ctrl-C under npm arrives twice: from the terminal, and passed on by npm a moment later.
const sameRequestMilliseconds = 250

export function listenToSignals(): Signals {
  const hurry = new AbortController()
  let roll: () => Promise<void> = async () => undefined
  let rolling = Promise.resolve()
  let firstAt: number | undefined
  const stopAsked = new Promise<void>(resolve => {
    const stop = () => {
      firstAt ??= performance.now()
      if (performance.now() - firstAt > sameRequestMilliseconds) hurry.abort()
      resolve()
    }
    const rollNext = () => {
      // One after the other: two at once would replace each other's new workers.
      rolling = rolling.then(() => roll())
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    // Forked by a program that is gone.
    process.once('disconnect', stop)
    // With a terminal, the hang-up means that it is gone, and its server with it; without one, it is the usual "reload".
    process.on('SIGHUP', process.stdin.isTTY ? stop : rollNext)
    process.on('SIGUSR2', rollNext)
  })
  return {
    stopAsked,
    hurry: hurry.signal,
    onRoll(given) {
      roll = given
    },
  }
}
