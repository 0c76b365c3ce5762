import { randomBytes } from 'node:crypto'
import { total, usageBelow } from '../lib/cpu.js'
import { measured } from '../lib/measured.js'
import { say } from '../lib/say.js'
import { sendForm, sendMessage } from './http-client.js'
import type { FilesOptions } from './options.js'
import { downloadBytes, FileServer, type FileServers } from './servers.js'

/** CPU in µs of one download. */
export interface DownloadFigures {
  readonly serverUs: number
  readonly postgresUs: number
  readonly floorUs: number
  readonly perSecond: number
  readonly othersShare: number
}

export interface DownloadRounds {
  readonly name: 'server' | 'accel'
  readonly rounds: DownloadFigures[]
}

const inFlight = 8

/** A file of a message, read by people who may read the message: sent by the server, and left to a proxy by `X-Accel-Redirect`. */
export async function measureDownloads(servers: FileServers, options: FilesOptions): Promise<DownloadRounds[]> {
  const { ours, undo } = servers
  const behindProxy = await FileServer.start(undo, { FILES_ACCEL_PREFIX: '/parley-files/' })
  const found = [
    { name: 'server', server: ours, bytes: downloadBytes, path: await fileOfMessage(ours), rounds: [] },
    { name: 'accel', server: behindProxy, bytes: 0, path: await fileOfMessage(behindProxy), rounds: [] },
  ] satisfies (DownloadRounds & { server: FileServer; bytes: number; path: string })[]
  // The first round is the warm-up.
  for (let round = 0; round <= options.rounds; round++) {
    for (const one of found) {
      const figures = await downloadRound(servers, options, one)
      if (round > 0) (one.rounds as DownloadFigures[]).push(figures)
      const { serverUs, postgresUs, floorUs } = figures
      say(
        `round ${round}, ${one.name}: server ${Math.round(serverUs)} µs, PostgreSQL ${Math.round(postgresUs)} µs, floor ${Math.round(floorUs)} µs`,
      )
    }
  }
  return found.map(({ name, rounds }) => ({ name, rounds }))
}

async function downloadRound(
  { floor, floorPort, load }: FileServers,
  { downloads: count }: FilesOptions,
  { server, bytes, path }: { server: FileServer; bytes: number; path: string },
): Promise<DownloadFigures> {
  const download = { do: 'download', path, readers: server.readers, inFlight, count } as const
  const theirs = await measured({ used: () => usageBelow(floor.pid), loads: [load.pid] }, () =>
    load.ask({ ...download, port: floorPort, bytes: downloadBytes }),
  )
  const run = await measured({ used: () => usageBelow(server.server.pid), loads: [load.pid] }, () =>
    load.ask({ ...download, port: server.port, bytes }),
  )
  return {
    serverUs: total(run.usage.server) / count,
    postgresUs: total(run.usage.postgres) / count,
    floorUs: total(theirs.usage.server) / count,
    perSecond: (count / run.elapsedMs) * 1000,
    othersShare: run.othersShare,
  }
}

/** Uploads a file, and sends a message with it; returns its path. */
async function fileOfMessage({ port, sender: who, channelId }: FileServer): Promise<string> {
  const path = await sendForm({ port, sender: who }, 'application/octet-stream', downloadBytes, [
    randomBytes(downloadBytes),
  ])
  await sendMessage({ port, who, channelId }, `[file](${path})`)
  return path
}
