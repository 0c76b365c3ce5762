import { setTimeout as sleep } from 'node:timers/promises'
import { total, usageBelow } from '../lib/cpu.js'
import { measured } from '../lib/measured.js'
import { say } from '../lib/say.js'
import type { FilesOptions } from './options.js'
import type { UploadKind } from './protocol.js'
import type { FileServer, FileServers } from './servers.js'

/** One upload of `together`; CPU in ms. */
export interface UploadFigures {
  readonly serverMs: number
  readonly postgresMs: number
  readonly floorMs: number
  readonly elapsedMs: number
  readonly floorElapsedMs: number
  /** The most that the worker had for itself above what it had before any of them, in bytes. */
  readonly grown: number
  readonly othersShare: number
}

export interface UploadRounds {
  readonly kind: UploadKind
  readonly rounds: UploadFigures[]
}

const restMs = 2000
const lookMs = 50

/** Files that arrive at the same time, by form and by tus; the floor stores the same bodies. */
export async function measureUploads(servers: FileServers, options: FilesOptions): Promise<UploadRounds[]> {
  const found: UploadRounds[] = [
    { kind: 'form', rounds: [] },
    { kind: 'tus', rounds: [] },
  ]
  for (const { kind } of found) await uploadRound(servers, { ...options, megabytes: 1 }, kind, 0)
  await sleep(restMs)
  // Once: after a round the worker may keep what it needed.
  const idle = servers.ours.memory()
  for (let round = 1; round <= options.rounds; round++) {
    for (const { kind, rounds } of found) {
      const figures = await uploadRound(servers, options, kind, idle)
      rounds.push(figures)
      const { serverMs, floorMs, grown } = figures
      say(
        `round ${round}, ${kind}: ${Math.round(serverMs)} ms of the server, floor ${Math.round(floorMs)} ms, ${(grown / 1e6).toFixed(1)} MB`,
      )
    }
  }
  return found
}

async function uploadRound(
  { ours, floor, floorPort, load }: FileServers,
  { megabytes, together }: FilesOptions,
  kind: UploadKind,
  idle: number,
): Promise<UploadFigures> {
  const upload = { do: 'upload', kind, sender: ours.sender, together, bytes: megabytes * 1_000_000 } as const
  const theirs = await measured({ used: () => usageBelow(floor.pid), loads: [load.pid] }, () =>
    load.ask({ ...upload, port: floorPort }),
  )
  await sleep(restMs)
  let most = ours.memory()
  const watch = setInterval(() => {
    most = Math.max(most, ours.memory())
  }, lookMs)
  const run = await measured({ used: () => usageBelow(ours.server.pid), loads: [load.pid] }, () =>
    load.ask({ ...upload, port: ours.port }),
  )
  clearInterval(watch)
  await forget(ours, together)
  return {
    serverMs: total(run.usage.server) / 1000 / together,
    postgresMs: total(run.usage.postgres) / 1000 / together,
    floorMs: total(theirs.usage.server) / 1000 / together,
    elapsedMs: run.elapsedMs,
    floorElapsedMs: theirs.elapsedMs,
    grown: most - idle,
    othersShare: run.othersShare,
  }
}

/** Checks that all files are there, and gives them up, so that the server removes their bytes within half a minute. */
async function forget({ sql }: FileServer, count: number): Promise<void> {
  const removed = await sql`
    with gone as (delete from attachments returning path_id)
    insert into loose_files (key, remove_after) select path_id, now() from gone returning key`
  if (removed.length !== count) throw new Error(`${count} files were accepted, ${removed.length} are stored`)
}
