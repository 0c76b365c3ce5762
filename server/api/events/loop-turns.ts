import type { Directory } from '../../store/directory.js'

/**
 * Runs long pieces of work in separate turns of the event loop, in the order of the calls, so that other work runs
 * between them. A message needs about five turns from its sender to a receiver, so each turn's duration counts five
 * times.
 */
class LoopTurns {
  private readonly waiting: (() => void)[] = []
  private readonly run = () => {
    this.waiting.shift()?.()
    if (this.waiting.length > 0) setImmediate(this.run)
  }

  next(): Promise<void> {
    return new Promise(resolve => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.run)
    })
  }
}

// Keyed by the directory, which all requests of a worker share.
const turns = new WeakMap<Directory, LoopTurns>()

/** Resolves in a turn of the event loop in which this worker does no other long piece of work. */
export function ownTurn(directory: Directory): Promise<void> {
  let own = turns.get(directory)
  if (!own) {
    own = new LoopTurns()
    turns.set(directory, own)
  }
  return own.next()
}
