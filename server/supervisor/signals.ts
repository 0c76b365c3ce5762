/** The requests that this process gets as signals. */
export interface Signals {
  /** Resolves at the first request to stop. */
  readonly stopAsked: Promise<void>
  /** Aborts at the second request to stop: the operator does not want to wait for the drain. */
  readonly killNow: AbortSignal
  /** Sets the function that SIGHUP and SIGUSR2 call to replace the workers. */
  onRoll(roll: () => Promise<void>): void
}

// Ctrl-C under npm arrives twice: from the terminal, and forwarded by npm shortly after; within this time both are one request.
const sameRequestMs = 250

export function listenToSignals(): Signals {
  const killNow = new AbortController()
  let roll: () => Promise<void> = async () => undefined
  let rolling = Promise.resolve()
  let firstAt: number | undefined
  const stopAsked = new Promise<void>(resolve => {
    const stop = () => {
      firstAt ??= performance.now()
      if (performance.now() - firstAt > sameRequestMs) killNow.abort()
      resolve()
    }
    const rollNext = () => {
      // One after another: two concurrent replacements would replace each other's new workers.
      rolling = rolling.then(() => roll())
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    // The parent process that forked the supervisor has ended.
    process.once('disconnect', stop)
    // With a terminal, SIGHUP means that the terminal has closed, so the server stops; without one it is the usual "reload".
    process.on('SIGHUP', process.stdin.isTTY ? stop : rollNext)
    process.on('SIGUSR2', rollNext)
  })
  return {
    stopAsked,
    killNow: killNow.signal,
    onRoll(given) {
      roll = given
    },
  }
}
