import { App, us_socket_local_port } from 'uWebSockets.js'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import type { FloorTask } from './protocol.js'

// The floor: a bare server that answers with the same bytes after the minimum of necessary work.
let answer: () => string | Promise<string> = () => ''
let sql: postgres.Sql | undefined
let redis: Redis | undefined

process.on('disconnect', () => process.exit(0))
process.on('message', async (task: FloorTask) => {
  answer = answerOf(task)
  process.send?.({ ok: true })
})

function answerOf({ body, work, ...stores }: FloorTask): () => string | Promise<string> {
  switch (work.kind) {
    case 'bytes':
      return () => body
    case 'join': {
      const pieces = piecesOf(JSON.parse(body))
      return () => pieces.join('')
    }
    case 'redis': {
      redis ??= new Redis(stores.redis.url, { path: stores.redis.socket })
      const store = redis
      let next = 0
      return async () => {
        // As many members as users who report presence.
        await store.zadd('bench:floor', Date.now(), next++ % 10_000)
        return body
      }
    }
    case 'query': {
      sql ??= postgres(stores.database.url, {
        path: stores.database.socket,
        max: 8,
        connection: { search_path: 'parley' },
      })
      const database = sql
      let next = 0
      return async () => {
        const values = work.values[next++ % work.values.length] as (number | string)[]
        await database.unsafe(work.text, values, { prepare: true })
        return body
      }
    }
  }
}

/** The JSON of an object as separate fields, with long lists as separate elements. */
function piecesOf(object: Record<string, unknown>): string[] {
  const fields = Object.entries(object).map(([name, value]) => {
    const key = JSON.stringify(name)
    if (!Array.isArray(value) || value.length < 10) return [`${key}:${JSON.stringify(value)}`]
    return [
      `${key}:[`,
      ...value.flatMap((one, i) => (i === 0 ? [JSON.stringify(one)] : [',', JSON.stringify(one)])),
      ']',
    ]
  })
  return ['{', ...fields.flatMap((pieces, i) => (i === 0 ? pieces : [',', ...pieces])), '}']
}

const app = App()
app.any('/*', (response, incoming) => {
  let isGone = false
  response.onAborted(() => {
    isGone = true
  })
  const finish = async () => {
    const text = await answer()
    if (isGone) return
    response.cork(() => {
      response.writeHeader('Content-Type', 'application/json').end(text)
    })
  }
  if (incoming.getMethod() === 'get') void finish()
  else response.onData((_, isLast) => void (isLast && finish()))
})
app.listen('127.0.0.1', 0, token => {
  if (!token) throw new Error('the floor found no port')
  process.send?.({ port: us_socket_local_port(token) })
})
