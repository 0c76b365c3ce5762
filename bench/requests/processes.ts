import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FloorTask, LoadAnswer, LoadResult, LoadRun } from './protocol.js'

const start = (name: string): ChildProcess => fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)))

/** The process that sends requests. */
export class RequestLoad {
  private readonly child = start('load-process')

  get pid(): number {
    return this.child.pid as number
  }

  /** @throws if the server refused a request. */
  async run(run: LoadRun): Promise<LoadResult> {
    this.child.send(run)
    const [answer] = (await once(this.child, 'message')) as [LoadAnswer]
    if (!answer.ok) throw new Error(answer.reason)
    return answer.result
  }

  stop(): void {
    this.child.kill('SIGKILL')
  }
}

/** The bare server for the same requests. */
export class RequestFloor {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<RequestFloor> {
    const child = start('floor-process')
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new RequestFloor(child, port)
  }

  get pid(): number {
    return this.child.pid as number
  }

  async hold(task: FloorTask): Promise<void> {
    this.child.send(task)
    await once(this.child, 'message')
  }

  stop(): void {
    this.child.kill('SIGKILL')
  }
}
