import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { Child, Floor } from '../lib/child.js'
import { readOptions } from '../lib/options.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import type { ResultTable, Target } from '../lib/result.js'
import type { Undo } from '../lib/undo.js'
import type { FileCommand } from './load-process.js'

/** `only`: measures the parts whose names contain this. */
export const readFilesOptions = (args: string[]) =>
  readOptions(args, { megabytes: 100, together: 20, downloads: 2000, photographs: 100, rounds: 3, only: '' })
export type FilesOptions = ReturnType<typeof readFilesOptions>

/** What one part of the scenario found. */
export interface PartFound {
  readonly runs: readonly { readonly othersShare: number }[]
  readonly table: ResultTable
  readonly targets: readonly Target[]
}

const readerCount = 8
/** Of the file that is downloaded. */
export const downloadBytes = 1_000_000

/** The server with one worker, and people of one channel. */
export async function startFileServer(undo: Undo, settings: Readonly<Record<string, string>> = {}) {
  const server = await RealServer.started(undo, { WORKERS: '1', ...settings })
  const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
  undo.push(() => sql.end())
  const [sender, ...readers] = await makeAccounts(server, readerCount + 1)
  if (!sender) throw new Error('there is no sender')
  return { server, sql, sender, readers, channelId: await makeChannel(server, sender, 'files', [sender, ...readers]) }
}
export type FileServer = Awaited<ReturnType<typeof startFileServer>>

/** What all measurements of files need. */
export async function startFileServers(undo: Undo) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-floor-'))
  undo.push(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'file'), Buffer.alloc(downloadBytes, 'floor'))
  const floor = await Floor.start(undo, 'files/floor-process', { FLOOR_DIRECTORY: directory })
  const load = new Child<FileCommand, { readonly paths: readonly string[] }>(undo, 'files/load-process')
  return { ours: await startFileServer(undo), floor, load, undo }
}
export type FileServers = Awaited<ReturnType<typeof startFileServers>>
