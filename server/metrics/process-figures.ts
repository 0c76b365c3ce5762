import { type IntervalHistogram, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import { version } from '../config/version.js'
import { type Reading, reading } from './reading.js'

// Interval of the timer that measures the event loop delay: 50 wake-ups per second cost an idle process 0.1 % of a core.
const resolutionMs = 20
const windowMs = 5000
// Twelve windows are a minute, so that a scrape once a minute shows every stall.
const windows = 12
const nanosecond = 1e-9
const kinds: ReadonlyMap<number, string> = new Map([
  [1, 'minor'],
  [4, 'major'],
  [8, 'incremental'],
  [16, 'weak_callbacks'],
])

/** Memory, CPU time, garbage collection and event loop delay of this process. */
export class ProcessFigures {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs })
  private readonly gc = new Map<string, { runs: number; seconds: number }>()
  private readonly observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries()) this.collected(entry)
  })
  private readonly timer: NodeJS.Timeout
  private last = { p50: 0, p99: 0 }
  private longest: number[] = []

  constructor() {
    for (const kind of kinds.values()) this.gc.set(kind, { runs: 0, seconds: 0 })
    this.delay.enable()
    this.observer.observe({ entryTypes: ['gc'] })
    this.timer = setInterval(() => this.nextWindow(), windowMs).unref()
  }

  stop(): void {
    clearInterval(this.timer)
    this.delay.disable()
    this.observer.disconnect()
  }

  readings(): Reading[] {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return [
      reading('parley_resident_memory_bytes', rss),
      reading('parley_heap_used_bytes', heapUsed),
      reading('parley_heap_total_bytes', heapTotal),
      reading('parley_external_memory_bytes', external),
      reading('parley_cpu_seconds_total', (user + system) / 1e6),
      reading('parley_event_loop_active_seconds_total', performance.eventLoopUtilization().active / 1000),
      reading('parley_event_loop_delay_seconds', this.last.p50, { percentile: '50' }),
      reading('parley_event_loop_delay_seconds', this.last.p99, { percentile: '99' }),
      reading('parley_event_loop_delay_seconds', Math.max(this.late(this.delay.max), ...this.longest), {
        percentile: '100',
      }),
      ...[...this.gc].flatMap(([kind, { runs, seconds }]) => [
        reading('parley_gc_runs_total', runs, { kind }),
        reading('parley_gc_seconds_total', seconds, { kind }),
      ]),
      reading('parley_start_time_seconds', performance.timeOrigin / 1000),
      reading('parley_info', 1, { version, node: process.version }),
    ]
  }

  private nextWindow(): void {
    this.last = { p50: this.late(this.delay.percentile(50)), p99: this.late(this.delay.percentile(99)) }
    this.longest = [...this.longest.slice(1 - windows), this.late(this.delay.max)]
    this.delay.reset()
  }

  /** The delay in seconds: the measured value is the whole time between two runs of the timer, including its interval. */
  private late(nanoseconds: number): number {
    return Math.max(0, nanoseconds * nanosecond - resolutionMs / 1000)
  }

  private collected({ duration, detail }: { duration: number; detail?: unknown }): void {
    const one = this.gc.get(kinds.get((detail as { kind?: number } | undefined)?.kind ?? 0) ?? '')
    if (!one) return
    one.runs++
    one.seconds += duration / 1000
  }
}
