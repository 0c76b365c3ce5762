import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { Child } from '../lib/child.js'
import type { Account } from '../lib/load-protocol.js'
import { workerMemory } from '../lib/memory.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import type { Undo } from '../lib/undo.js'
import type { FileAnswer, FileCommand } from './protocol.js'

const readerCount = 8
/** Of the file that is downloaded. */
export const downloadBytes = 1_000_000

/** The server with one worker, and people of one channel. */
export class FileServer {
  private constructor(
    readonly server: RealServer,
    readonly sql: postgres.Sql,
    readonly sender: Account,
    readonly readers: readonly Account[],
    readonly channelId: number,
    /** Private memory of the worker in bytes. */
    readonly memory: () => number,
  ) {}

  static async start(undo: Undo, settings: Readonly<Record<string, string>> = {}): Promise<FileServer> {
    const server = await RealServer.start({ WORKERS: '1', ...settings })
    undo.push(() => server.stop())
    const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
    undo.push(() => sql.end())
    const [sender, ...readers] = await makeAccounts(server, readerCount + 1)
    if (!sender) throw new Error('there is no sender')
    const channelId = await makeChannel(server, sender, 'files', [sender, ...readers])
    return new FileServer(server, sql, sender, readers, channelId, workerMemory(server.pid))
  }

  get port(): number {
    return Number(this.server.url.port)
  }
}

/** What all measurements of files need. */
export class FileServers {
  private constructor(
    readonly ours: FileServer,
    readonly floor: Child<never, { port: number }>,
    readonly floorPort: number,
    readonly load: Child<FileCommand, FileAnswer>,
    readonly undo: Undo,
  ) {}

  static async start(undo: Undo): Promise<FileServers> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-bench-floor-'))
    undo.push(() => rm(directory, { recursive: true }))
    await writeFile(join(directory, 'file'), Buffer.alloc(downloadBytes, 'floor'))
    const floor = new Child<never, { port: number }>('files/floor-process', { FLOOR_DIRECTORY: directory })
    undo.push(() => floor.stop())
    const { port } = await floor.heard()
    const load = new Child<FileCommand, FileAnswer>('files/load-process')
    undo.push(() => load.stop())
    return new FileServers(await FileServer.start(undo), floor, port, load, undo)
  }
}
