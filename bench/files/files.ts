import { say } from '../lib/figures.js'
import type { Result } from '../lib/result.js'
import { othersShare } from '../lib/statistics.js'
import { undone } from '../lib/undo.js'
import { measureDownloads } from './downloads.js'
import { measurePhotographs } from './photographs.js'
import { readFilesOptions, startFileServers } from './servers.js'
import { measureUploads } from './uploads.js'

const parts = { uploads: measureUploads, downloads: measureDownloads, photographs: measurePhotographs }

/** Uploads, downloads and thumbnails, each next to a floor or to the same time without them. */
export async function files(args: string[]): Promise<Result> {
  const options = readFilesOptions(args)
  const found = await undone(async undo => {
    say('starting the servers and the floor …')
    const servers = await startFileServers(undo)
    const results = []
    for (const [name, measure] of Object.entries(parts))
      if (name.includes(options.only)) results.push(await measure(servers, options))
    return results
  })
  return {
    options,
    othersShare: othersShare(found.flatMap(({ runs }) => runs)),
    notes: [
      'One worker. The floor of downloads is a server of node:http that reads a file of the same size.',
      'A download is one by a subscriber of the channel whose message holds the file. Left to a proxy: the server decides and answers with X-Accel-Redirect.',
    ],
    tables: found.map(({ table }) => table),
    targets: found.flatMap(({ targets }) => targets),
  }
}
