import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askSignal, directorySetting, type HeapMemory } from './report-memory.js'
import type { Undo } from './undo.js'

const program = new URL('./report-memory.js', import.meta.url).href
const answerMs = 10_000

/** The live heap of server processes, read without a debugger. */
export class Heaps {
  private constructor(private readonly directory: string) {}

  static async open(undo: Undo): Promise<Heaps> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-heaps-'))
    undo.push(() => rm(directory, { recursive: true, force: true }))
    return new Heaps(directory)
  }

  /** Environment variables for the start of the server. */
  get settings(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${program}`, [directorySetting]: this.directory }
  }

  async of(pid: number): Promise<HeapMemory> {
    const file = join(this.directory, `${pid}.json`)
    process.kill(pid, askSignal)
    const late = performance.now() + answerMs
    while (!existsSync(file)) {
      if (performance.now() > late) throw new Error(`process ${pid} does not tell its memory`)
      await sleep(20)
    }
    const found = JSON.parse(readFileSync(file, 'utf8')) as HeapMemory
    rmSync(file)
    return found
  }
}
