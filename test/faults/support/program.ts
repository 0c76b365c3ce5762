import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../../../server/config/paths.js'
import type { Sql } from '../../../server/store/driver/db.js'
import { openDatabase } from '../../../server/store/driver/open-database.js'
import { createPerson, type Person } from '../../support/people.js'
import { childrenOf } from '../../support/processes.js'
import { passOn } from '../../support/server.js'
import type { Teardown } from '../../support/services.js'
import { environmentOf, signal, workersOf } from './workers.js'

/** The program of `npm start` with its own databases; it can be killed as by a power failure and restarted on its data. */
export class Program {
  private child: ChildProcess | undefined
  private port = '0'
  private database: Sql | undefined

  private constructor(
    private readonly dataDir: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** `within`: the parent folder of its data. */
  static async start(t: Teardown, settings: Record<string, string> = {}, within = tmpdir()): Promise<Program> {
    const program = new Program(await mkdtemp(join(within, 'parley-whole-')), settings)
    t.teardown(() => program.remove())
    await program.begin()
    return program
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    return this.child?.pid as number
  }

  /** The program's database. */
  get sql(): Sql {
    if (!this.database) throw new Error('it has not begun')
    return this.database
  }

  /** The directory of Redis's append-only file. */
  get appendOnlyDirectory(): string {
    return join(this.dataDir, 'redis', 'appendonlydir')
  }

  /** The directory of uploaded files and what is made of them. */
  get filesDirectory(): string {
    return join(this.dataDir, 'files')
  }

  person = (): Promise<Person> => createPerson(this.sql, this.url)

  /** Starts it; later starts use the same data and address. */
  async begin(): Promise<void> {
    const { port, dataDir, settings } = this
    const child = fork(program, {
      env: { PATH: process.env.PATH, DEMO: '0', LOG_LEVEL: 'fatal', ...settings, PORT: port, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    passOn(child)
    this.child = child
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk
        const line = /^ready (http\S+)$/m.exec(output)
        if (line?.[1]) resolve(line[1])
      })
      child.once('exit', code => reject(new Error(`the server ended with ${code} before it was ready`)))
    })
    this.port = new URL(url).port
    this.database ??= openDatabase(this.setting('DATABASE_URL'), 'parley', 2)
  }

  /** A setting in the environment of the workers, where the supervisor has added the addresses of its databases. */
  private setting(name: string): string {
    const [worker] = workersOf(this.pid)
    const found = worker && environmentOf(worker).find(entry => entry.startsWith(`${name}=`))
    if (!found) throw new Error(`no worker has the setting ${name}`)
    return found.slice(name.length + 1)
  }

  /** All processes, the supervisor first. */
  processes(): number[] {
    const below = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(below)]
    return below(this.pid)
  }

  /** SIGKILL of all processes at once, or of the supervisor alone. Resolves when the supervisor is gone. */
  async kill(pids = this.processes()): Promise<void> {
    const { child } = this
    const exited = new Promise(resolve => child?.once('exit', resolve))
    for (const pid of pids) signal(pid, 'SIGKILL')
    await exited
  }

  private async remove(): Promise<void> {
    await this.database?.end()
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) {
      const exited = new Promise(resolve => this.child?.once('exit', resolve))
      this.child.kill('SIGTERM')
      await exited
    }
    await rm(this.dataDir, { recursive: true, force: true })
  }
}
