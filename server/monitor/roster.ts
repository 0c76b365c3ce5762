import type { ChildProcess } from 'node:child_process'
import { type MachineReadings, machineReadings, type WorkerReadings } from '../metrics/machine.js'
import { growing, merge, type Reading, reading } from '../metrics/reading.js'
import { type MonitorMessage, monitorMessage } from './messages.js'

// A worker that is not stuck answers within its turn. Whoever asked waits for two seconds (supervisor-link.ts).
const patienceMs = 1000

interface Member {
  readonly process: ChildProcess
  /** Its place, from 1 on. */
  readonly number: number
  /** Before that it has nothing to tell, and hears nobody. */
  isListening: boolean
  /** What it told last: of one that does not answer, and after its end. */
  last: readonly Reading[]
  /** It owes an answer: it is not asked again, so that nothing piles up before one that hangs. */
  owes: boolean
}

/** The supervisor's list of workers: it asks them for their figures, and keeps what those counted that are gone. */
export class Roster {
  restarts = 0
  replacements = 0
  /** Those that were not asked for, by reason. */
  readonly replaced = { hang: 0, memory: 0, crash: 0 }
  readonly #members = new Set<Member>()
  readonly #waiting = new Set<() => void>()
  #gone: readonly Reading[] = []
  #asks = 0

  /** Until its channel closes: what it said last comes after its end. */
  join(process: ChildProcess): void {
    const member: Member = { process, number: this.#freeNumber(), isListening: false, last: [], owes: false }
    this.#members.add(member)
    process.on('message', message => {
      if ((message as { type?: unknown } | null)?.type === 'listening') member.isListening = true
      const heard = monitorMessage(message)
      if (heard) this.#hear(member, heard)
    })
    process.once('disconnect', () => this.#leave(member))
    // One that could not even be started has no channel.
    process.once('error', () => this.#leave(member))
  }

  #freeNumber(): number {
    const taken = new Set([...this.#members].map(member => member.number))
    let number = 1
    while (taken.has(number)) number++
    return number
  }

  #leave(member: Member): void {
    if (!this.#members.delete(member)) return
    this.#gone = merge([this.#gone, growing(member.last)])
    this.#look()
  }

  #hear(member: Member, message: MonitorMessage): void {
    if (message.type === 'worker-told') {
      member.last = message.readings
      member.owes = false
      this.#look()
    } else if (message.type === 'machine-asked') {
      void this.#gather().then(machine => say(member, { type: 'machine-told', ask: message.ask, machine }))
    }
  }

  /** Of those that answer in time. Never longer than that, whatever becomes of them. */
  async #gather(): Promise<MachineReadings> {
    const asked = new Set<Member>()
    for (const member of this.#members) {
      if (!member.isListening || member.owes || !member.process.connected) continue
      member.owes = true
      asked.add(member)
      say(member, { type: 'worker-asked', ask: ++this.#asks })
    }
    await this.#settled(() => [...asked].every(member => !member.owes || !this.#members.has(member)))
    // In one turn: who has left by now is among those that are gone, and nowhere else.
    const members = [...this.#members].filter(member => member.isListening)
    const answered = members.filter(member => asked.has(member) && !member.owes)
    const told: WorkerReadings[] = answered.map(({ number, last }) => ({ worker: String(number), readings: last }))
    // As they were: a worker that is late still holds its sockets, and a sum without them would look as if they had gone.
    const silent = members.filter(member => !answered.includes(member)).flatMap(({ last }) => last)
    return machineReadings(told, this.#gone, [
      ...silent,
      reading('parley_workers', members.length),
      reading('parley_workers_answered', told.length),
      reading('parley_worker_restarts_total', this.restarts),
      reading('parley_worker_replacements_total', this.replacements),
      ...Object.entries(this.replaced).map(([reason, count]) =>
        reading('parley_workers_replaced_total', count, { reason }),
      ),
    ])
  }

  #settled(isSettled: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (isSettled()) end()
      }
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve()
      }
      const timer = setTimeout(end, patienceMs)
      this.#waiting.add(look)
      look()
    })
  }

  #look(): void {
    for (const look of [...this.#waiting]) look()
  }
}

/** Its channel may close in the same moment: then it has no use for it. */
function say({ process }: Member, message: MonitorMessage): void {
  if (process.connected) process.send(message, () => undefined)
}
