import { setTimeout as sleep } from 'node:timers/promises'
import { total, usageBelow } from '../lib/cpu.js'
import { medianOf, say } from '../lib/figures.js'
import { measured } from '../lib/measured.js'
import { greatestMemory, workerMemory } from '../lib/memory.js'
import { atMost, percent } from '../lib/result.js'
import { spread } from '../lib/statistics.js'
import type { FileServer, FileServers, FilesOptions, PartFound } from './servers.js'

const kinds = { form: 'in a form', tus: 'by tus' }
type Kind = keyof typeof kinds
const restMs = 2000

/** Files that arrive at the same time, by form and by tus; the floor stores the same bodies. */
export async function measureUploads(servers: FileServers, options: FilesOptions): Promise<PartFound> {
  const { megabytes, together } = options
  const all: (Awaited<ReturnType<typeof uploadRound>> & { kind: Kind })[] = []
  for (const kind of Object.keys(kinds) as Kind[]) await uploadRound(servers, { ...options, megabytes: 1 }, kind)
  await sleep(restMs)
  // Once: after a round the worker may keep what it needed.
  const idle = workerMemory(servers.ours.server.pid)()
  for (let round = 1; round <= options.rounds; round++) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      const figures = await uploadRound(servers, options, kind)
      all.push({ kind, ...figures })
      const [server, floor] = [figures.serverMs, figures.floorMs].map(Math.round)
      say(
        `round ${round}, ${kind}: ${server} ms of the server, floor ${floor} ms, ${(figures.most / 1e6).toFixed(1)} MB`,
      )
    }
  }
  const found = (Object.keys(kinds) as Kind[]).map(kind => {
    const rounds = all.filter(one => one.kind === kind)
    const of = (key: Exclude<keyof (typeof rounds)[number], 'kind'>) => medianOf(rounds, round => round[key])
    return { kind, rounds, of, grown: (of('most') - idle) / 1e6 }
  })
  return {
    runs: all,
    table: {
      title: `Upload of ${megabytes} MB, ${together} at once`,
      columns: ['server ms', 'PostgreSQL ms', 'spread', 'floor ms', '× floor', 'memory MB'],
      rows: found.map(({ kind, rounds, of, grown }) => [
        kinds[kind],
        of('serverMs'),
        of('postgresMs'),
        percent(spread(rounds.map(({ serverMs }) => serverMs))),
        of('floorMs'),
        medianOf(rounds, ({ serverMs, floorMs }) => serverMs / floorMs),
        grown,
      ]),
    },
    targets: found.map(({ kind, grown }) =>
      atMost(32, 'MB', `${together} uploads ${kinds[kind]}: memory of the worker above idle`, grown),
    ),
  }
}

async function uploadRound({ ours, floor, load }: FileServers, { megabytes, together }: FilesOptions, kind: Kind) {
  const upload = { do: 'upload', kind, sender: ours.sender, together, bytes: megabytes * 1_000_000 } as const
  const theirs = await measured({ used: () => usageBelow(floor.pid), loads: [load.pid] }, () =>
    load.ask({ ...upload, port: floor.port }),
  )
  await sleep(restMs)
  const memory = greatestMemory(ours.server.pid)
  const run = await measured({ used: () => usageBelow(ours.server.pid), loads: [load.pid] }, () =>
    load.ask({ ...upload, port: ours.server.port }),
  )
  const { most } = memory.stop()
  await forget(ours, together)
  return {
    serverMs: total(run.usage.server) / 1000 / together,
    postgresMs: total(run.usage.postgres) / 1000 / together,
    floorMs: total(theirs.usage.server) / 1000 / together,
    /** Bytes of the worker. */
    most,
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
