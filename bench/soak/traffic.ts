import type { Deeds } from './deeds.js'
import type { Tally } from './tally.js'

/** The rate of each action, relative to channel messages. */
const shares: Readonly<Record<string, number>> = {
  message: 1,
  messageToChanging: 0.2,
  direct: 0.2,
  edit: 0.1,
  react: 0.1,
  star: 0.1,
  read: 0.2,
  type: 0.2,
  remove: 0.02,
  comeOrGo: 0.05,
  report: 0.1,
  page: 0.1,
}

const tickMs = 100
// Requests in flight; beyond this number the server does not keep up, and further requests wait.
const mostUnderWay = 100

/** Runs all kinds of actions at an even rate until `stop`. */
export class Traffic {
  readonly #owed = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #underWay = 0

  constructor(
    private readonly deeds: Deeds,
    private readonly tally: Tally,
    private readonly perSecond: number,
    private readonly fail: (error: Error) => void,
  ) {
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  #tick(): void {
    for (const [what, share] of Object.entries(shares)) {
      const owed = (this.#owed.get(what) ?? Math.random()) + (this.perSecond * share * tickMs) / 1000
      this.#owed.set(what, owed % 1)
      for (let i = 0; i < Math.floor(owed); i++) void this.#act(what as keyof Deeds)
    }
  }

  async #act(what: keyof Deeds): Promise<void> {
    if (this.#underWay >= mostUnderWay) return this.tally.add('left out, because the server was behind')
    this.#underWay += 1
    try {
      await this.deeds[what]()
    } catch (error) {
      this.fail(error as Error)
    }
    this.#underWay -= 1
  }

  /** Resolves when all running actions have ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    while (this.#underWay > 0) await new Promise(resolve => setTimeout(resolve, tickMs))
  }
}
