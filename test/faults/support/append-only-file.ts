import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

const sampleMs = 100
/** The largest loss of appendfsync everysec, in ms. */
export const lostMs = 1000

/** Redis's append-only file with its length over time: what a power failure would leave. */
export class AppendOnlyFile {
  private samples: { file: string; size: number; at: number }[] = []
  private readonly timer = setInterval(() => this.look(), sampleMs)

  /** `directory`: the directory `appendonlydir`. */
  constructor(private readonly directory: string) {}

  private look(): void {
    const file = this.newest()
    this.samples.push({ file, size: statSync(file).size, at: performance.now() })
    if (this.samples.length > (2 * lostMs) / sampleMs) this.samples.shift()
  }

  private newest(): string {
    const number = (name: string) => Number(/\.(\d+)\.incr\.aof$/.exec(name)?.[1] ?? 0)
    const names = readdirSync(this.directory).filter(name => number(name) > 0)
    return join(this.directory, names.sort((a, b) => number(b) - number(a))[0] ?? '')
  }

  /** Truncates the file; Redis must be stopped. */
  loseSince(milliseconds: number): void {
    const now = performance.now()
    const file = this.newest()
    const kept = this.samples.find(sample => sample.file === file && sample.at >= now - milliseconds)
    if (kept) truncateSync(file, kept.size)
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
