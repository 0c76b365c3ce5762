import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../lib/until.js'

/** A Redis for a peer, with an append-only file like Parley's. */
export class LoneRedis {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
    private readonly directory: string,
  ) {}

  static async start(): Promise<LoneRedis> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-peer-'))
    const socket = join(directory, 'redis.sock')
    const settings = ['--port', '0', '--unixsocket', socket, '--dir', directory, '--appendonly', 'yes', '--save', '']
    const child = spawn('redis-server', settings, { stdio: 'ignore' })
    const redis = new LoneRedis(child, socket, directory)
    await until(() => {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`)
      return existsSync(socket)
    })
    return redis
  }

  get pid(): number {
    return this.process.pid as number
  }

  async stop(): Promise<void> {
    const exited = once(this.process, 'exit')
    this.process.kill('SIGKILL')
    await exited
    await rm(this.directory, { recursive: true, force: true })
  }
}
