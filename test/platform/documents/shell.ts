import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Teardown } from '../../support/services.js'

/** One bash for all blocks: later blocks see the variables of earlier ones. */
export class Shell {
  private readonly child: ChildProcess
  private output = ''
  private heard = () => {}

  constructor(t: Teardown, directory: string) {
    this.child = spawn('bash', { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'] })
    const take = (chunk: Buffer) => {
      this.output += chunk
      this.heard()
    }
    this.child.stdout?.on('data', take)
    this.child.stderr?.on('data', take)
    t.teardown(() => this.child.kill())
  }

  /** All output of the commands, including errors. */
  async run(commands: string): Promise<string> {
    const end = randomUUID()
    this.output = ''
    this.child.stdin?.write(`${commands}\necho ${end}\n`)
    await new Promise<void>(resolve => {
      this.heard = () => {
        if (this.output.includes(end)) resolve()
      }
      this.heard()
    })
    return this.output.slice(0, this.output.indexOf(end))
  }
}
