import { Child } from './child.js'
import type { Command, Missed, Returned, Run, RunResult } from './load-protocol.js'
import type { Undo } from './undo.js'

/** The process with the readers of queues and their sender. */
export class Load extends Child<Command, { readonly result?: RunResult; readonly returned?: Returned }> {
  constructor(undo: Undo) {
    super(undo, 'lib/load-process')
  }

  /** @throws if an event was lost, repeated or out of order. */
  async run(name: string, run: Run): Promise<RunResult> {
    return (await this.ask({ do: 'run', name, run })).result as RunResult
  }

  async comeBack(name: string, missed: Missed): Promise<Returned> {
    return (await this.ask({ do: 'return', name, missed })).returned as Returned
  }
}
