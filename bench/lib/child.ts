import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Undo } from './undo.js'

/** A process of the measurement that executes commands, one at a time; `serve` is its other end. */
export class Child<Command extends object, Answer> {
  private readonly process: ChildProcess

  /** `program`: the path of a file in bench/, without its ending. */
  constructor(undo: Undo, program: string, env: Readonly<Record<string, string>> = {}) {
    const file = fileURLToPath(new URL(`../${program}.js`, import.meta.url))
    this.process = fork(file, [], { serialization: 'advanced', env: { ...process.env, ...env } })
    undo.push(() => this.stop())
  }

  get pid(): number {
    return this.process.pid as number
  }

  /** @throws if the process reports a failure or ends. */
  ask(command: Command): Promise<Answer> {
    const answer = this.heard<Answer>()
    this.process.send(command)
    return answer
  }

  /** The next message from the process. */
  heard<Message>(): Promise<Message> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('a process of the measurement ended'))
      this.process.once('exit', ended)
      this.process.once('message', (answer: { ok: false; reason: string } | ({ ok: true } & Message)) => {
        this.process.off('exit', ended)
        if (answer.ok) resolve(answer)
        else reject(new Error(`The check failed: ${answer.reason}`))
      })
    })
  }

  stop(): void {
    this.process.kill('SIGKILL')
  }
}

/** A bare server in a process of its own, with which the server is compared. */
export class Floor<Command extends object = never> extends Child<Command, unknown> {
  port = 0

  static async start<Command extends object>(
    undo: Undo,
    program: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<Floor<Command>> {
    const floor = new Floor<Command>(undo, program, env)
    floor.port = (await floor.heard<{ port: number }>()).port
    return floor
  }
}
