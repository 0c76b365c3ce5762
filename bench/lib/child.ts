import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process of the measurement that executes commands, one at a time. */
export class Child<Command extends object, Answer> {
  readonly #process: ChildProcess

  /** `program`: the path of a file in bench/, without its ending. */
  constructor(program: string, env: Readonly<Record<string, string>> = {}) {
    const file = fileURLToPath(new URL(`../${program}.js`, import.meta.url))
    this.#process = fork(file, [], { serialization: 'advanced', env: { ...process.env, ...env } })
  }

  get pid(): number {
    return this.#process.pid as number
  }

  /** @throws if the process reports a failure or ends. */
  ask(command: Command): Promise<Answer> {
    const answer = this.heard()
    this.#process.send(command)
    return answer
  }

  /** The next message from the process. */
  heard(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('a process of the measurement ended'))
      this.#process.once('exit', ended)
      this.#process.once('message', (answer: { ok: false; reason: string } | ({ ok: true } & Answer)) => {
        this.#process.off('exit', ended)
        if (answer.ok) resolve(answer)
        else reject(new Error(`The check failed: ${answer.reason}`))
      })
    })
  }

  stop(): void {
    this.#process.kill('SIGKILL')
  }
}
