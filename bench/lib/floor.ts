import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FloorFrames } from './floor-process.js'
import type { ParkedFrames } from './parked-floor-process.js'

/** The programs that publish the frames: the floors for sockets and for parked requests, and the peers. */
const programs = {
  sockets: './floor-process.js',
  polls: './parked-floor-process.js',
  ws: '../fan-out/ws-process.js',
  socketio: '../fan-out/socketio-process.js',
}

/** The bare server that Parley is compared with, in a separate process. */
export class Floor {
  private constructor(
    readonly process: ChildProcess,
    readonly port: number,
  ) {}

  static async start(
    readers: keyof typeof programs = 'sockets',
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Floor> {
    const program = fileURLToPath(new URL(programs[readers], import.meta.url))
    const child = fork(program, args, { serialization: 'advanced', env: { ...process.env, ...env } })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new Floor(child, port)
  }

  /** Gives it the frames, which it sends from the first one on. */
  async hold(frames: FloorFrames | ParkedFrames): Promise<void> {
    this.process.send(frames)
    await once(this.process, 'message')
  }

  stop(): void {
    this.process.kill('SIGKILL')
  }
}
