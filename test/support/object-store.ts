import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Teardown } from './services.js'

const program = fileURLToPath(new URL('./object-store-process.js', import.meta.url))
const bucket = 'parley-test'

/** A real S3-compatible server with one bucket, in a process that tests may kill and start again on its data and port. */
export class ObjectStore {
  private child: ChildProcess | undefined
  private port = 0

  private constructor(private readonly directory: string) {}

  static async start(t: Teardown): Promise<ObjectStore> {
    const store = new ObjectStore(await mkdtemp(join(tmpdir(), 'parley-objects-')))
    t.teardown(async () => {
      await store.kill()
      await rm(store.directory, { recursive: true })
    })
    await store.begin()
    return store
  }

  /** Settings of a server that keeps its files here. */
  get settings(): Record<string, string> {
    return {
      S3_ENDPOINT: `http://127.0.0.1:${this.port}`,
      S3_BUCKET: bucket,
      S3_PATH_STYLE: '1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    }
  }

  async begin(): Promise<void> {
    this.child = fork(program, [this.directory, String(this.port), bucket], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [port] = (await once(this.child, 'message')) as [number]
    this.port = port
  }

  async kill(): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  /** Stops it without closing its connections: it answers nothing until it continues. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal)
  }

  /** The keys of all objects. */
  async keys(): Promise<string[]> {
    const suffix = '._S3rver_object'
    const names = await readdir(join(this.directory, bucket), { recursive: true })
    return names.filter(name => name.endsWith(suffix)).map(name => name.slice(0, -suffix.length))
  }

  /** The ids of the multipart uploads that have been neither completed nor aborted. */
  unfinished(): Promise<string[]> {
    return readdir(this.uploads).catch(() => [])
  }

  /** As if an unfinished upload had begun at `time`. */
  async date(upload: string, time: Date): Promise<void> {
    await utimes(join(this.uploads, upload, 'key'), time, time)
  }

  private get uploads(): string {
    return join(this.directory, bucket, '._S3rver_uploads')
  }
}
