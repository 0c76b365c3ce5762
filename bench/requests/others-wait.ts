import { setTimeout as sleep } from 'node:timers/promises'
import type { Bystanding, Stalls } from '../lib/bystanders.js'
import { Child } from '../lib/child.js'
import { makeChannel } from '../lib/people.js'
import type { RequestOptions } from './options.js'
import type { RequestLoad } from './processes.js'
import type { RequestCase } from './request-case.js'
import type { SeededServer } from './seeded.js'

const readers = 9
const everyMs = 20

/** What others waited for their messages while requests of one kind ran, and before for as long without requests. */
export interface OthersWait {
  readonly atRest: Stalls
  readonly meanwhile: Stalls
}

/** Runs the requests beside readers and a sender, who are not there while the requests' CPU time is measured. */
export async function othersWait(
  seeded: SeededServer,
  load: RequestLoad,
  { requests, name }: RequestCase,
  { seconds, inFlight }: RequestOptions,
): Promise<OthersWait> {
  const port = Number(seeded.server.url.port)
  const owner = await seeded.owner()
  const accounts = [owner, ...(await seeded.people(readers))]
  const channelId = await makeChannel(seeded.server, owner, `beside ${name}`.slice(0, 60), accounts)
  const aside = new Child<{ open?: Bystanding }, { stalls?: Stalls }>('lib/bystander-process')
  try {
    await aside.ask({ open: { port, codec: 'json', accounts, channelId, every: everyMs } })
    const stalls = async () => (await aside.ask({})).stalls as Stalls
    // Registering belongs to neither.
    await sleep(1000)
    await stalls()
    await sleep(seconds * 1000)
    const atRest = await stalls()
    await load.run({ port, requests, inFlight, seconds })
    return { atRest, meanwhile: await stalls() }
  } finally {
    await aside.stop()
  }
}
