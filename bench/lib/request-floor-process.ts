import { App } from 'uWebSockets.js'
import { Redis } from 'ioredis'
import { BareStore } from './bare-store.js'
import type { FloorTask } from './request-load.js'
import { listen, serve } from './serve.js'

// The floor: a bare server that answers with the same bytes after the minimum of necessary work.
type Answer = (params: URLSearchParams) => string | Promise<string>
let answer: Answer = () => ''
let bare: Promise<BareStore> | undefined
let redis: Redis | undefined

serve((task: FloorTask) => {
  answer = answerOf(task)
})

function answerOf({ body, work, ...stores }: FloorTask): Answer {
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
    case 'store': {
      bare ??= BareStore.open(stores.database)
      const store = bare
      return async params => {
        const id = await (await store).insert(1, Number(params.get('to')), params.get('content') ?? '')
        return JSON.stringify({ result: 'success', msg: '', id })
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
  let body = ''
  response.onAborted(() => {
    isGone = true
  })
  const finish = async () => {
    const text = await answer(new URLSearchParams(body))
    if (isGone) return
    response.cork(() => {
      response.writeHeader('Content-Type', 'application/json').end(text)
    })
  }
  if (incoming.getMethod() === 'get') void finish()
  else
    response.onData((chunk, isLast) => {
      body += Buffer.from(chunk).toString()
      if (isLast) void finish()
    })
})
app.ws<{ isOpen: boolean }>('/api/v1/socket', {
  idleTimeout: 0,
  upgrade(response, request, context) {
    const [key, extensions] = [request.getHeader('sec-websocket-key'), request.getHeader('sec-websocket-extensions')]
    response.upgrade({ isOpen: true }, key, 'chat.v1.json', extensions, context)
  },
  async message(socket, frame) {
    const { id, params } = JSON.parse(Buffer.from(frame).toString())
    const text = await answer(new URLSearchParams(params))
    if (socket.getUserData().isOpen) socket.send(`{"op":"reply","id":${id},"status":200,"body":${text}}`, false)
  },
  close(socket) {
    socket.getUserData().isOpen = false
  },
})
listen(app)
