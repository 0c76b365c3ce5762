import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const settings = readFileSync(fileURLToPath(new URL('../../../redis.conf', import.meta.url)), 'utf8')
// In ms: the cluster replaces a master that does not answer for so long. Less than 1 s causes failovers on a busy
// machine.
const nodeTimeout = 1500

/** A process of a Redis Cluster, with the redis.conf that the server needs. */
export class RedisNode {
  private process: ChildProcess | undefined

  constructor(
    readonly port: number,
    readonly busPort: number,
    readonly directory: string,
    readonly password: string,
  ) {}

  get pid(): number {
    return this.process?.pid as number
  }

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true })
    const redis = ['redis-server', '-']
    // The kernel kills the node when this process ends for any reason.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...redis], {
      cwd: this.directory,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.process = child
    child.stdin?.end(this.configuration())
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`)
      return (await this.command('PING').catch(() => '')) === 'PONG'
    })
  }

  /** Runs one command in redis-cli; returns the printed reply. */
  async command(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('redis-cli', ['-p', String(this.port), '--no-auth-warning', ...args], {
      env: { ...process.env, REDISCLI_AUTH: this.password },
    })
    const reply = stdout.trim()
    if (/^(ERR|CLUSTERDOWN|LOADING|MOVED|NOAUTH|WRONGPASS)\b/.test(reply)) throw new Error(reply)
    return reply
  }

  /** Kills the process, like a crash. */
  kill(): Promise<void> {
    return this.end('SIGKILL')
  }

  stop(): Promise<void> {
    return this.end('SIGTERM')
  }

  /** Stops or continues the process: for the other nodes it hangs or is unreachable. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.process?.kill(name)
  }

  /** Makes a replica stop receiving its master's writes. */
  async stopCopying(): Promise<void> {
    await this.command('CONFIG', 'SET', 'masterauth', 'not the password')
    await this.command('CLIENT', 'KILL', 'TYPE', 'master')
  }

  async copyAgain(): Promise<void> {
    await this.command('CONFIG', 'SET', 'masterauth', this.password)
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    await exited
  }

  private configuration(): string {
    return `${settings}
port ${this.port}
requirepass ${this.password}
masterauth ${this.password}
dir .
logfile redis.log
cluster-enabled yes
cluster-port ${this.busPort}
cluster-config-file nodes.conf
cluster-node-timeout ${nodeTimeout}
repl-diskless-sync-delay 0
`
  }
}

/** Waits until the condition is true. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await sleep(20)
}
