import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StoreAddress } from './bare-store.js'
import { pidsBelow } from './cpu.js'
import { HttpClient } from './http-client.js'
import type { Undo } from './undo.js'

// The program of the same build as this file, or of another build that is to be compared with it.
const program = process.env.BENCH_PROGRAM ?? fileURLToPath(new URL('../../server/main.js', import.meta.url))

/** The server that `npm start` starts. */
export class RealServer {
  /** For what is not measured. */
  readonly api: HttpClient

  private constructor(
    readonly process: ChildProcess,
    readonly url: URL,
    private readonly dataDir: string,
    private readonly keepsData: boolean,
  ) {
    this.api = new HttpClient({ port: Number(url.port) })
  }

  /** Without `keptData`, a directory, its data is temporary. */
  static async start(settings: Readonly<Record<string, string>>, keptData?: string): Promise<RealServer> {
    const dataDir = keptData ?? (await temporaryData())
    const keepsData = keptData !== undefined
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, PORT: '0', DEMO: '0', LOG_LEVEL: 'warn', ...settings, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      return new RealServer(child, await ready(child), dataDir, keepsData)
    } catch (error) {
      if (!keepsData) await rm(dataDir, { recursive: true, force: true })
      throw error
    }
  }

  /** One that stops with the measurement. */
  static async started(undo: Undo, settings: Readonly<Record<string, string>>): Promise<RealServer> {
    const server = await RealServer.start(settings)
    undo.push(() => server.stop())
    return server
  }

  get port(): number {
    return Number(this.url.port)
  }

  get pid(): number {
    return this.process.pid as number
  }

  /** A setting in the environment of the workers, where the supervisor has added the addresses of its databases. */
  setting(name: string): string {
    const found = this.find(name)
    if (found === undefined) throw new Error(`no worker has the setting ${name}`)
    return found
  }

  /** The address by which the workers reach a database. */
  address(store: 'DATABASE' | 'REDIS'): StoreAddress {
    return { url: this.setting(`${store}_URL`), socket: this.find(`${store}_SOCKET`) }
  }

  private find(name: string): string | undefined {
    for (const pid of pidsBelow(this.pid)) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (!environment.includes('PARLEY_ROLE=worker')) continue
      const found = environment.find(entry => entry.startsWith(`${name}=`))
      if (found) return found.slice(name.length + 1)
    }
    return undefined
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGTERM')
      await once(this.process, 'exit')
    }
    if (!this.keepsData) await rm(this.dataDir, { recursive: true, force: true })
  }
}

/** Makes a directory for the data of a server. */
export const temporaryData = (): Promise<string> => mkdtemp(join(tmpdir(), 'parley-bench-'))

function ready(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      const [, url] = /^ready (http\S+)$/m.exec(output) ?? []
      if (url) resolve(new URL(url))
    })
    child.once('exit', code => reject(new Error(`The server ended with ${code} before it was ready.`)))
  })
}
