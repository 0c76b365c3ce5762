import type { MachineReadings } from '../metrics/machine.js'
import type { Reading } from '../metrics/reading.js'
import { type MonitorMessage, monitorMessage } from './messages.js'

// Longer than the supervisor waits for those that do not answer.
const patienceMs = 2000

/** The supervisor did not answer in time. */
export class NoAnswer extends Error {}

/** A worker's side of what it and the supervisor tell each other about figures. */
export class SupervisorLink {
  readonly #send: (message: MonitorMessage, done: () => void) => void
  readonly #waiting = new Map<number, (machine: MachineReadings) => void>()
  #read: () => readonly Reading[] = () => []
  #asks = 0
  #underWay: Promise<MachineReadings> | undefined

  constructor(send: (message: MonitorMessage, done: () => void) => void) {
    this.#send = send
  }

  /** From now on this worker's figures are those. */
  serve(read: () => readonly Reading[]): void {
    this.#read = read
  }

  hear(message: unknown): void {
    const heard = monitorMessage(message)
    if (heard?.type === 'worker-asked') this.#tell(heard.ask, () => undefined)
    if (heard?.type === 'machine-told') this.#waiting.get(heard.ask)?.(heard.machine)
  }

  /**
   * The figures of all workers of this machine. Those who ask at the same time share the answer.
   * @throws {NoAnswer} within two seconds; figures of one worker alone would look as if the others had begun anew.
   */
  machine(): Promise<MachineReadings> {
    this.#underWay ??= this.#ask().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  /** What was counted until now stays in the sums when this process has ended. */
  farewell(): Promise<void> {
    return new Promise(resolve => this.#tell(0, resolve))
  }

  #tell(ask: number, done: () => void): void {
    this.#send({ type: 'worker-told', ask, readings: this.#read() }, done)
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
