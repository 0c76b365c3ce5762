import type { ChildProcess } from 'node:child_process'
import { type MachineReadings, machineReadings, type WorkerReadings } from '../metrics/machine.js'
import { growing, merge, type Reading, reading } from '../metrics/reading.js'
import { type MonitorMessage, monitorMessage } from './messages.js'

// How long the supervisor waits for workers; shorter than the 2 s that the requesting worker waits (supervisor-link.ts).
const answerTimeoutMs = 1000

interface MonitoredWorker {
  readonly process: ChildProcess
  /** Number of the worker, from 1 on. */
  readonly number: number
  /** Before a worker listens, it has no readings and does not answer. */
  isListening: boolean
  /** Its last readings, used if it does not answer and after its end. */
  last: readonly Reading[]
  /** The worker has not answered the last request; it gets no further one, so that requests do not pile up at a hanging worker. */
  isAnswerDue: boolean
}

/** The supervisor's side of the metrics: it requests the readings of all workers and keeps the counters of ended ones. */
export class MachineMonitor {
  restarts = 0
  replacements = 0
  /** Replacements without a request of the operator, by reason. */
  readonly replaced = { hang: 0, memory: 0, crash: 0 }
  private readonly workers = new Set<MonitoredWorker>()
  private readonly checks = new Set<() => void>()
  private ofEndedWorkers: readonly Reading[] = []
  private requests = 0

  /** Adds a worker until its channel closes: its last message can arrive after the end of its process. */
  add(process: ChildProcess): void {
    const worker: MonitoredWorker = {
      process,
      number: this.freeNumber(),
      isListening: false,
      last: [],
      isAnswerDue: false,
    }
    this.workers.add(worker)
    process.on('message', message => {
      if ((message as { type?: unknown } | null)?.type === 'listening') worker.isListening = true
      const received = monitorMessage(message)
      if (received) this.receive(worker, received)
    })
    process.once('disconnect', () => this.remove(worker))
    // A process that could not be started has no channel.
    process.once('error', () => this.remove(worker))
  }

  private freeNumber(): number {
    const taken = new Set([...this.workers].map(worker => worker.number))
    let number = 1
    while (taken.has(number)) number++
    return number
  }

  private remove(worker: MonitoredWorker): void {
    if (!this.workers.delete(worker)) return
    this.ofEndedWorkers = merge([this.ofEndedWorkers, growing(worker.last)])
    this.runChecks()
  }

  private receive(worker: MonitoredWorker, message: MonitorMessage): void {
    if (message.type === 'worker-answered') {
      worker.last = message.readings
      worker.isAnswerDue = false
      this.runChecks()
    } else if (message.type === 'machine-requested') {
      const { request } = message
      void this.collect().then(machine => send(worker, { type: 'machine-answered', request, machine }))
    }
  }

  /** Collects the readings of the workers; takes at most `answerTimeoutMs`, even if workers hang or end meanwhile. */
  private async collect(): Promise<MachineReadings> {
    const requested = new Set<MonitoredWorker>()
    for (const worker of this.workers) {
      if (!worker.isListening || worker.isAnswerDue || !worker.process.connected) continue
      worker.isAnswerDue = true
      requested.add(worker)
      send(worker, { type: 'worker-requested', request: ++this.requests })
    }
    await this.until(() => [...requested].every(worker => !worker.isAnswerDue || !this.workers.has(worker)))
    // Without an await from here on, so that a worker that has ended counts only among the ended ones.
    const workers = [...this.workers].filter(worker => worker.isListening)
    const answered = workers.filter(worker => requested.has(worker) && !worker.isAnswerDue)
    const readings: WorkerReadings[] = answered.map(({ number, last }) => ({ worker: String(number), readings: last }))
    // The last readings of late workers: such a worker still holds its sockets, and a sum without them would suggest that they closed.
    const ofLateWorkers = workers.filter(worker => !answered.includes(worker)).flatMap(({ last }) => last)
    return machineReadings(readings, this.ofEndedWorkers, [
      ...ofLateWorkers,
      reading('parley_workers', workers.length),
      reading('parley_workers_answered', readings.length),
      reading('parley_worker_restarts_total', this.restarts),
      reading('parley_worker_replacements_total', this.replacements),
      ...Object.entries(this.replaced).map(([reason, count]) =>
        reading('parley_workers_replaced_total', count, { reason }),
      ),
    ])
  }

  /** Resolves when the condition is true, or after `answerTimeoutMs`. */
  private until(isTrue: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const check = () => {
        if (isTrue()) end()
      }
      const end = () => {
        clearTimeout(timer)
        this.checks.delete(check)
        resolve()
      }
      const timer = setTimeout(end, answerTimeoutMs)
      this.checks.add(check)
      check()
    })
  }

  private runChecks(): void {
    for (const check of [...this.checks]) check()
  }
}

/** Sends a message; ignores the error if the worker's channel closes meanwhile. */
function send({ process }: MonitoredWorker, message: MonitorMessage): void {
  if (process.connected) process.send(message, () => undefined)
}
