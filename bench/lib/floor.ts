import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FloorFrames } from './floor-process.js'
import type { ParkedFrames } from './parked-floor-process.js'

/** What the floor's frames are published to: sockets, or parked requests. */
const programs = { sockets: './floor-process.js', polls: './parked-floor-process.js' }

/** The bare server that all is compared with, in a process of its own. */
export class Floor {
  private constructor(
    readonly process: ChildProcess,
    readonly port: number,
  ) {}

  static async start(readers: keyof typeof programs = 'sockets'): Promise<Floor> {
    const program = fileURLToPath(new URL(programs[readers], import.meta.url))
    const child = fork(program, [], { serialization: 'advanced' })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new Floor(child, port)
  }

  async hold(frames: FloorFrames | ParkedFrames): Promise<void> {
    this.process.send(frames)
    await once(this.process, 'message')
  }

  stop(): void {
    this.process.kill('SIGKILL')
  }
}
