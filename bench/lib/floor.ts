import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FloorFrames } from './floor-process.js'

const program = fileURLToPath(new URL('./floor-process.js', import.meta.url))

/** The bare server that all is compared with, in a process of its own. */
export class Floor {
  private constructor(
    readonly process: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<Floor> {
    const child = fork(program, [], { serialization: 'advanced' })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new Floor(child, port)
  }

  async hold(frames: FloorFrames): Promise<void> {
    this.process.send(frames)
    await once(this.process, 'message')
  }

  stop(): void {
    this.process.kill('SIGKILL')
  }
}
