import type { Directory } from '../../store/directory.js'

/**
 * Long pieces of work, one in each turn of the loop, in the order in which they were asked for: what else there is to do comes
 * in between. A message on its way to a reader needs some five turns, so that each turn's length counts five times.
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

// By what all requests of a worker share.
const turns = new WeakMap<Directory, LoopTurns>()

/** Resolves in a turn in which no other long piece of work of this worker is done. */
export function ownTurn(directory: Directory): Promise<void> {
  let own = turns.get(directory)
  if (!own) {
    own = new LoopTurns()
    turns.set(directory, own)
  }
  return own.next()
}
