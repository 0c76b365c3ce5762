import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { StoreAddress } from '../lib/store-address.js'
import type { SendAnswer, SendResult, SendRun } from './protocol.js'

const start = (name: string): ChildProcess => fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)))

/** The process that sends messages. */
export class SendLoad {
  private readonly child = start('load-process')

  get pid(): number {
    return this.child.pid as number
  }

  /** @throws if the server refused a message. */
  async run(run: SendRun): Promise<SendResult> {
    this.child.send(run)
    const [answer] = (await once(this.child, 'message')) as [SendAnswer]
    if (!answer.ok) throw new Error(answer.reason)
    return answer.result
  }

  stop(): void {
    this.child.kill('SIGKILL')
  }
}

/** The bare server that stores messages. */
export class SendFloor {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(database: StoreAddress): Promise<SendFloor> {
    const child = start('floor-process')
    child.send(database)
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new SendFloor(child, port)
  }

  get pid(): number {
    return this.child.pid as number
  }

  stop(): void {
    this.child.kill('SIGKILL')
  }
}
