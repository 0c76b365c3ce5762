import { setTimeout as sleep } from 'node:timers/promises'
import { usageBelow } from '../lib/cpu.js'
import { medianOf, say } from '../lib/figures.js'
import { measured } from '../lib/measured.js'
import { greatestMemory, workerMemory } from '../lib/memory.js'
import { atMost } from '../lib/result.js'
import type { FileServer, FileServers, FilesOptions, PartFound } from './servers.js'

const kinds = ['form', 'tus'] as const
type Kind = (typeof kinds)[number]
const restMs = 2000

/** Files that arrive at the same time, by form and by tus. */
export async function measureUploads(servers: FileServers, options: FilesOptions): Promise<PartFound> {
  const { megabytes, together } = options
  const found = { form: [] as Round[], tus: [] as Round[] }
  for (const kind of kinds) await uploadRound(servers, { ...options, megabytes: 1 }, kind)
  await sleep(restMs)
  // Once: after a round the worker may keep what it needed.
  const idle = workerMemory(servers.ours.server.pid)()
  for (let round = 1; round <= options.rounds; round++) {
    for (const kind of kinds) {
      const figures = await uploadRound(servers, options, kind)
      found[kind].push(figures)
      say(`round ${round}, ${kind}: ${Math.round(figures.serverMs)} ms, ${(figures.most / 1e6).toFixed(1)} MB`)
    }
  }
  const grown = (kind: Kind) => (medianOf(found[kind], ({ most }) => most) - idle) / 1e6
  return {
    runs: Object.values(found).flat(),
    table: {
      title: `Upload of ${megabytes} MB, ${together} at once`,
      columns: ['server ms', 'memory MB'],
      rows: kinds.map(kind => [kind, medianOf(found[kind], ({ serverMs }) => serverMs), grown(kind)]),
    },
    targets: kinds.map(kind =>
      atMost(32, 'MB', `${together} uploads by ${kind}: memory of the worker above idle`, grown(kind)),
    ),
  }
}

/** `most`: bytes of the worker. */
type Round = Readonly<Record<'serverMs' | 'most' | 'othersShare', number>>

async function uploadRound(
  { ours, load }: FileServers,
  { megabytes, together }: FilesOptions,
  kind: Kind,
): Promise<Round> {
  const upload = { do: 'upload', kind, sender: ours.sender, together, bytes: megabytes * 1_000_000 } as const
  await sleep(restMs)
  const memory = greatestMemory(ours.server.pid)
  const { usage, othersShare } = await measured({ used: () => usageBelow(ours.server.pid), loads: [load.pid] }, () =>
    load.ask({ ...upload, port: ours.server.port }),
  )
  const most = memory.stop()
  await forget(ours, together)
  return { serverMs: usage.server / 1000 / together, most, othersShare }
}

/** Checks that all files are there, and gives them up, so that the server removes their bytes within half a minute. */
async function forget({ sql }: FileServer, count: number): Promise<void> {
  const removed = await sql`
    with gone as (delete from attachments returning path_id)
    insert into loose_files (key, remove_after) select path_id, now() from gone returning key`
  if (removed.length !== count) throw new Error(`${count} files were accepted, ${removed.length} are stored`)
}
