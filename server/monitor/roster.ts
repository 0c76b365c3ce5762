import type { ChildProcess } from 'node:child_process'
import { type MachineReadings, machineReadings, type WorkerReadings } from '../metrics/machine.js'
import { growing, merge, type Reading, reading } from '../metrics/reading.js'
import { type MonitorMessage, monitorMessage } from './messages.js'

// How long the supervisor waits for workers; shorter than the 2 s that the requesting worker waits (supervisor-link.ts).
const patienceMs = 1000

interface Member {
  readonly process: ChildProcess
  /** Number of the worker, from 1 on. */
  readonly number: number
  /** Before a worker listens, it has no readings and does not answer. */
  isListening: boolean
  /** Its last readings, used if it does not answer and after its end. */
  last: readonly Reading[]
  /** The worker has not answered the last request; it gets no further one, so that requests do not pile up at a hanging worker. */
  owes: boolean
}

/** The supervisor's list of workers: it requests their readings and keeps the counters of ended workers. */
export class Roster {
  restarts = 0
  replacements = 0
  /** Replacements without a request of the operator, by reason. */
  readonly replaced = { hang: 0, memory: 0, crash: 0 }
  readonly #members = new Set<Member>()
  readonly #waiting = new Set<() => void>()
  #gone: readonly Reading[] = []
  #asks = 0

  /** Adds a worker until its channel closes: its last message can arrive after the end of its process. */
  join(process: ChildProcess): void {
    const member: Member = { process, number: this.#freeNumber(), isListening: false, last: [], owes: false }
    this.#members.add(member)
    process.on('message', message => {
      if ((message as { type?: unknown } | null)?.type === 'listening') member.isListening = true
      const received = monitorMessage(message)
      if (received) this.#receive(member, received)
    })
    process.once('disconnect', () => this.#leave(member))
    // A process that could not be started has no channel.
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

  #receive(member: Member, message: MonitorMessage): void {
    if (message.type === 'worker-answered') {
      member.last = message.readings
      member.owes = false
      this.#look()
    } else if (message.type === 'machine-asked') {
      void this.#gather().then(machine => say(member, { type: 'machine-answered', ask: message.ask, machine }))
    }
  }

  /** Collects the readings of the workers; takes at most `patienceMs`, even if workers hang or end meanwhile. */
  async #gather(): Promise<MachineReadings> {
    const asked = new Set<Member>()
    for (const member of this.#members) {
      if (!member.isListening || member.owes || !member.process.connected) continue
      member.owes = true
      asked.add(member)
      say(member, { type: 'worker-asked', ask: ++this.#asks })
    }
    await this.#settled(() => [...asked].every(member => !member.owes || !this.#members.has(member)))
    // Without an await from here on, so that a worker that has ended counts only among the ended ones.
    const members = [...this.#members].filter(member => member.isListening)
    const answered = members.filter(member => asked.has(member) && !member.owes)
    const readings: WorkerReadings[] = answered.map(({ number, last }) => ({ worker: String(number), readings: last }))
    // The last readings of late workers: such a worker still holds its sockets, and a sum without them would suggest that they closed.
    const silent = members.filter(member => !answered.includes(member)).flatMap(({ last }) => last)
    return machineReadings(readings, this.#gone, [
      ...silent,
      reading('parley_workers', members.length),
      reading('parley_workers_answered', readings.length),
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

/** Sends a message; ignores the error if the worker's channel closes meanwhile. */
function say({ process }: Member, message: MonitorMessage): void {
  if (process.connected) process.send(message, () => undefined)
}
