import { printResult } from '../lib/print-result.js'
import { say } from '../lib/say.js'
import { undone } from '../lib/undo.js'
import { measureDownloads } from './downloads.js'
import { readFilesOptions } from './options.js'
import { measurePhotographs } from './photographs.js'
import { filesResult } from './result.js'
import { FileServers } from './servers.js'
import { measureUploads } from './uploads.js'

/** Uploads, downloads and thumbnails, each next to a floor or to the same time without them. */
export async function files(args: string[]): Promise<void> {
  const given = readFilesOptions(args)
  const found = await undone(async undo => {
    say('starting the servers and the floor …')
    const servers = await FileServers.start(undo)
    const isAsked = (part: string) => given.only === undefined || given.only === part
    return {
      uploads: isAsked('uploads') ? await measureUploads(servers, given) : [],
      downloads: isAsked('downloads') ? await measureDownloads(servers, given) : [],
      photographs: isAsked('photographs') ? await measurePhotographs(servers, given) : [],
    }
  })
  printResult(filesResult(given, found), given.json)
}
