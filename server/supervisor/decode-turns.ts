import type { ChildProcess } from 'node:child_process'
import type { TakeTurn } from '../images/picture-queue.js'
import { typeOf } from './worker-process.js'

// Workers whose decoders may hold a picture in memory at the same time: one of this many.
const workersPerTurn = 4

/** The supervisor's side: lets the decoders of few workers work at once, because each may take as much memory as a picture may. */
export class DecodeTurns {
  private readonly waiting: ChildProcess[] = []
  private readonly working = new Set<ChildProcess>()
  private readonly atOnce: number

  constructor(workers: number) {
    this.atOnce = Math.ceil(workers / workersPerTurn)
  }

  /** Serves a worker until its channel closes. */
  add(worker: ChildProcess): void {
    worker.on('message', message => {
      const type = typeOf(message)
      if (type === 'decode-turn-wanted') this.waiting.push(worker)
      if (type === 'decode-turn-ended') this.working.delete(worker)
      this.give()
    })
    worker.once('disconnect', () => {
      this.working.delete(worker)
      const index = this.waiting.indexOf(worker)
      if (index >= 0) this.waiting.splice(index, 1)
      this.give()
    })
  }

  private give(): void {
    while (this.working.size < this.atOnce) {
      const next = this.waiting.shift()
      if (!next) return
      this.working.add(next)
      if (next.connected) next.send({ type: 'decode-turn' }, () => undefined)
    }
  }
}

/** The worker's side. It waits for one turn at a time. */
export class DecodeTurn {
  private given: (() => void) | undefined

  constructor(private readonly send: (message: { type: string }) => void) {}

  receive(message: unknown): void {
    if (typeOf(message) === 'decode-turn') this.given?.()
  }

  readonly take: TakeTurn = () =>
    new Promise(resolve => {
      this.given = () => resolve(() => this.send({ type: 'decode-turn-ended' }))
      this.send({ type: 'decode-turn-wanted' })
    })
}
