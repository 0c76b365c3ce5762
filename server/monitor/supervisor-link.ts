import type { MachineReadings } from '../metrics/machine.js'
import type { Reading } from '../metrics/reading.js'
import { type MonitorMessage, monitorMessage } from './messages.js'

// Longer than the supervisor waits for the workers (roster.ts).
const patienceMs = 2000

/** The supervisor did not answer in time. */
export class NoAnswer extends Error {}

/** The worker's end of the exchange of readings with the supervisor. */
export class SupervisorLink {
  readonly #send: (message: MonitorMessage, done: () => void) => void
  readonly #waiting = new Map<number, (machine: MachineReadings) => void>()
  #read: () => readonly Reading[] = () => []
  #asks = 0
  #underWay: Promise<MachineReadings> | undefined

  constructor(send: (message: MonitorMessage, done: () => void) => void) {
    this.#send = send
  }

  /** Sets the function that reads this worker's readings. */
  serve(read: () => readonly Reading[]): void {
    this.#read = read
  }

  receive(message: unknown): void {
    const received = monitorMessage(message)
    if (received?.type === 'worker-asked') this.#sendReadings(received.ask, () => undefined)
    if (received?.type === 'machine-answered') this.#waiting.get(received.ask)?.(received.machine)
  }

  /**
   * The readings of all workers of this machine; concurrent calls share the answer.
   * @throws {NoAnswer} after 2 s without an answer; the readings of this worker alone would suggest that the others had restarted.
   */
  machine(): Promise<MachineReadings> {
    this.#underWay ??= this.#ask().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  /** Sends the last readings, so that this worker's counters stay in the sums after its end. */
  farewell(): Promise<void> {
    return new Promise(resolve => this.#sendReadings(0, resolve))
  }

  #sendReadings(ask: number, done: () => void): void {
    this.#send({ type: 'worker-answered', ask, readings: this.#read() }, done)
  }

  #ask(): Promise<MachineReadings> {
    const ask = ++this.#asks
    return new Promise<MachineReadings>((resolve, reject) => {
      const timer = setTimeout(() => reject(new NoAnswer('The supervisor does not answer.')), patienceMs)
      this.#waiting.set(ask, machine => {
        clearTimeout(timer)
        resolve(machine)
      })
      this.#send({ type: 'machine-asked', ask }, () => undefined)
    }).finally(() => this.#waiting.delete(ask))
  }
}
