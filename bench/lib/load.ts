import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Command, Run, RunResult, Target } from './load-protocol.js'

const program = fileURLToPath(new URL('./load-process.js', import.meta.url))

/** Controls the load process. Every call throws if a check has failed. */
export class Load {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(program, [], { serialization: 'advanced' })
  }

  get pid(): number {
    return this.#child.pid as number
  }

  async open(target: Target): Promise<void> {
    await this.#ask({ do: 'open', target })
  }

  async run(name: string, run: Run): Promise<RunResult> {
    return (await this.#ask({ do: 'run', name, run })) as RunResult
  }

  async settle(name: string): Promise<void> {
    await this.#ask({ do: 'settle', name })
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }

  /** One command at a time. */
  #ask(command: Command): Promise<RunResult | undefined> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('the load process ended'))
      this.#child.once('exit', ended)
      this.#child.once('message', (answer: Answer) => {
        this.#child.off('exit', ended)
        if (answer.ok) resolve(answer.result)
        else reject(new Error(`The check failed: ${answer.reason}`))
      })
      this.#child.send(command)
    })
  }
}
