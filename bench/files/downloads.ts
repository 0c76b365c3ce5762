import { randomBytes } from 'node:crypto'
import { usageBelow } from '../lib/cpu.js'
import { medianOf, say } from '../lib/figures.js'
import { measured } from '../lib/measured.js'
import { atMost } from '../lib/result.js'
import {
  downloadBytes,
  type FileServer,
  type FileServers,
  type FilesOptions,
  type PartFound,
  startFileServer,
} from './servers.js'

const inFlight = 8

/** A file of a message, read by people who may read the message: sent by the server, and left to a proxy by `X-Accel-Redirect`. */
export async function measureDownloads(servers: FileServers, options: FilesOptions): Promise<PartFound> {
  const { ours, undo } = servers
  const behindProxy = await startFileServer(undo, { FILES_ACCEL_PREFIX: '/parley-files/' })
  const senders = [
    { name: 'sent by the server', server: ours, bytes: downloadBytes },
    { name: 'left to a proxy', server: behindProxy, bytes: 0 },
  ]
  const found = []
  for (const one of senders) {
    const path = await fileOfMessage(servers, one.server)
    const rounds = []
    // The first round is the warm-up.
    for (let round = 0; round <= options.rounds; round++) {
      const figures = await downloadRound(servers, options, { ...one, path })
      if (round > 0) rounds.push(figures)
      const [server, postgres, floor] = [figures.serverUs, figures.postgresUs, figures.floorUs].map(Math.round)
      say(`round ${round}, ${one.name}: server ${server} µs, PostgreSQL ${postgres} µs, floor ${floor} µs`)
    }
    const times = medianOf(rounds, ({ serverUs, postgresUs, floorUs }) => (serverUs + postgresUs) / floorUs)
    found.push({ name: one.name, rounds, times })
  }
  return {
    runs: found.flatMap(({ rounds }) => rounds),
    table: {
      title: 'Download of 1 MB',
      columns: ['server µs', 'PostgreSQL µs', 'floor µs', '× floor'],
      rows: found.map(({ name, rounds, times }) => [
        name,
        medianOf(rounds, ({ serverUs }) => serverUs),
        medianOf(rounds, ({ postgresUs }) => postgresUs),
        medianOf(rounds, ({ floorUs }) => floorUs),
        times,
      ]),
    },
    targets: found.map(({ name, times }) =>
      atMost(1.5, '× floor', `download of 1 MB, ${name}: CPU of server and PostgreSQL`, times),
    ),
  }
}

async function downloadRound(
  { floor, load }: FileServers,
  { downloads: count }: FilesOptions,
  { server, bytes, path }: { readonly server: FileServer; readonly bytes: number; readonly path: string },
) {
  const download = { do: 'download', path, readers: server.readers, inFlight, count } as const
  const theirs = await measured({ used: () => usageBelow(floor.pid), loads: [load.pid] }, () =>
    load.ask({ ...download, port: floor.port, bytes: downloadBytes }),
  )
  const run = await measured({ used: () => usageBelow(server.server.pid), loads: [load.pid] }, () =>
    load.ask({ ...download, port: server.server.port, bytes }),
  )
  return {
    serverUs: run.usage.server / count,
    postgresUs: run.usage.postgres / count,
    floorUs: theirs.usage.server / count,
    othersShare: run.othersShare,
  }
}

/** Uploads a file, and sends a message with it; returns its path. */
async function fileOfMessage({ load }: FileServers, { server, sender, channelId }: FileServer): Promise<string> {
  const file = { type: 'application/octet-stream', file: randomBytes(downloadBytes), count: 1 }
  const { paths } = await load.ask({ do: 'show', port: server.port, sender, channelId, ...file })
  return String(paths[0])
}
