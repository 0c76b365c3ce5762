import { Agent, request } from 'node:http'
import { median, percentile } from '../lib/statistics.js'
import type { LoadAnswer, LoadRequest, LoadResult, LoadRun } from './protocol.js'

// Sends requests over keep-alive connections, each after the previous answer, in a separate process.
let number = 0
const places = new Map<string, number>()

process.on('disconnect', () => process.exit(0))
process.on('message', async (run: LoadRun) => {
  const answer: LoadAnswer = await perform(run).then(
    result => ({ ok: true, result }) as const,
    error => ({ ok: false, reason: (error as Error).message }) as const,
  )
  process.send?.(answer)
})

async function perform(run: LoadRun): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: run.inFlight })
  // A cycle continues where the previous run ended, because some requests can be made only once.
  const cycle = JSON.stringify([run.port, run.requests[0]])
  let place = places.get(cycle) ?? 0
  const times: number[] = []
  const sizes: number[] = []
  let body: Buffer = Buffer.alloc(0)
  const begun = performance.now()
  const isOver = () =>
    run.count === undefined
      ? performance.now() - begun > (run.seconds ?? 1) * 1000
      : times.length + waiting >= run.count
  let waiting = 0
  const requestLoop = async () => {
    while (!isOver()) {
      waiting++
      const start = performance.now()
      const chunks = await send(agent, run.port, run.requests[place++ % run.requests.length] as LoadRequest)
      times.push(performance.now() - start)
      waiting--
      const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      sizes.push(size)
      if (size > body.length) body = Buffer.concat(chunks)
    }
  }
  await Promise.all(Array.from({ length: run.inFlight }, requestLoop))
  const elapsedMs = performance.now() - begun
  places.set(cycle, place)
  agent.destroy()
  const sorted = Float64Array.from(times)
  return {
    requests: times.length,
    elapsedMs,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    longest: percentile(sorted, 1),
    bytes: median(sizes),
    body: body.toString(),
  }
}

function send(agent: Agent, port: number, { method, path, params, email, api_key }: LoadRequest): Promise<Buffer[]> {
  const filled = Object.entries(params).map(
    ([name, value]) => [name, value.replaceAll('{n}', () => String(++number))] as const,
  )
  const form = new URLSearchParams(Object.fromEntries(filled)).toString()
  const isGet = method === 'GET'
  const headers: Record<string, string | number> = {
    authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`,
  }
  if (!isGet) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    headers['content-length'] = Buffer.byteLength(form)
  }
  const target = `/api/v1${path}${isGet && form ? `?${form}` : ''}`
  return new Promise((resolve, reject) => {
    const call = request({ agent, host: '127.0.0.1', port, path: target, method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode === 200) resolve(chunks)
        else
          reject(
            new Error(`${method} ${path}: ${response.statusCode} ${Buffer.concat(chunks).toString().slice(0, 500)}`),
          )
      })
    })
    call.on('error', reject)
    call.end(isGet ? undefined : form)
  })
}
