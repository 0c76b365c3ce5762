import type { MachineReadings } from '../metrics/machine.js'
import type { Reading } from '../metrics/reading.js'
import { type MonitorMessage, monitorMessage } from './messages.js'

// Longer than the supervisor waits for the workers (machine-monitor.ts).
const answerTimeoutMs = 2000

/** The supervisor did not answer in time. */
class NoAnswer extends Error {}

/** The worker's end of the exchange of readings with the supervisor. */
export class SupervisorLink {
  private readonly waiting = new Map<number, (machine: MachineReadings) => void>()
  private read: () => readonly Reading[] = () => []
  private requests = 0
  private running: Promise<MachineReadings> | undefined

  constructor(private readonly send: (message: MonitorMessage, done: () => void) => void) {}

  /** Sets the function that reads this worker's readings. */
  serve(read: () => readonly Reading[]): void {
    this.read = read
  }

  receive(message: unknown): void {
    const received = monitorMessage(message)
    if (received?.type === 'worker-requested') this.sendReadings(received.request, () => undefined)
    if (received?.type === 'machine-answered') this.waiting.get(received.request)?.(received.machine)
  }

  /**
   * The readings of all workers of this machine; concurrent calls share the answer.
   * @throws {NoAnswer} after 2 s without an answer; the readings of this worker alone would suggest that the others had restarted.
   */
  machine(): Promise<MachineReadings> {
    this.running ??= this.request().finally(() => {
      this.running = undefined
    })
    return this.running
  }

  /** Sends the readings before the end of this process, so that this worker's counters stay in the sums after its end. */
  sendLastReadings(): Promise<void> {
    return new Promise(resolve => this.sendReadings(0, resolve))
  }

  private sendReadings(request: number, done: () => void): void {
    this.send({ type: 'worker-answered', request, readings: this.read() }, done)
  }

  private request(): Promise<MachineReadings> {
    const request = ++this.requests
    return new Promise<MachineReadings>((resolve, reject) => {
      const timer = setTimeout(() => reject(new NoAnswer('The supervisor does not answer.')), answerTimeoutMs)
      this.waiting.set(request, machine => {
        clearTimeout(timer)
        resolve(machine)
      })
      this.send({ type: 'machine-requested', request }, () => undefined)
    }).finally(() => this.waiting.delete(request))
  }
}
