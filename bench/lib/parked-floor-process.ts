import { App, type HttpResponse } from 'uWebSockets.js'
import { listen, serve } from './serve.js'

/** One answer per event, as Parley gave it, cut where further events are inserted. */
export interface ParkedFrames {
  readonly head: string
  readonly tail: string
  readonly events: readonly string[]
}

// The floor of long polls: it parks requests and answers all with the same prepared bytes. It has no accounts and
// stores only the number of events; a late poll gets the missed events at once.
let held: ParkedFrames = { head: '', tail: '', events: [] }
const headers =
  'application/json\r\nCache-Control: no-cache, no-store, must-revalidate, private\r\nX-Content-Type-Options: nosniff'
let parked: HttpResponse[] = []
let late: { response: HttpResponse; since: number }[] = []
let published = 0
/** By event id: the number of events at its publication. */
const countOf = new Map<number, number>()
/** Bodies by number of known events, until the next event. */
let bodies = new Map<number, Buffer>()

serve((given: ParkedFrames) => {
  held = given
})

function bodySince(since: number): Buffer {
  let body = bodies.get(since)
  if (!body) {
    const missed: string[] = []
    for (let i = since; i < published; i++) missed.push(held.events[i % held.events.length] as string)
    body = Buffer.from(held.head + missed.join() + held.tail)
    bodies.set(since, body)
  }
  return body
}

const answer = (response: HttpResponse, body: Buffer) => {
  response.cork(() => response.writeHeader('Content-Type', headers).end(body))
}

function answerParked(): void {
  const all = parked
  parked = []
  const body = bodySince(published - waiting)
  waiting = 0
  for (const response of all) answer(response, body)
}

function answerLate(): void {
  const all = late
  late = []
  for (const { response, since } of all) answer(response, bodySince(since))
}

let waiting = 0

const app = App()
app.get('/api/v1/events', (response, request) => {
  response.onAborted(() => process.exit(1))
  const since = countOf.get(Number(request.getQuery('last_event_id'))) ?? published
  if (since === published) parked.push(response)
  // Outside this handler, because uWebSockets.js has one cork buffer, which this request uses.
  else if (late.push({ response, since }) === 1) setImmediate(answerLate)
})
app.post('/publish', response => {
  const event = held.events[published % held.events.length]
  if (event) {
    published++
    bodies = new Map()
    // The next run reuses the ids with other counts.
    countOf.set((JSON.parse(event) as { id: number }).id, published)
    if (waiting++ === 0) setImmediate(answerParked)
  }
  response.writeStatus(event ? '200 OK' : '404 Not Found').end('{}')
})
listen(app)
