import { App, us_socket_local_port } from 'uWebSockets.js'
import { BareStore } from '../lib/bare-store.js'
import type { StoreAddress } from '../lib/store-address.js'

// The floor: reads a message, stores it as one row with one statement, and answers with its id; without authentication.
process.on('disconnect', () => process.exit(0))
process.on('message', async (database: StoreAddress) => {
  listen(await BareStore.open(database))
})

const answer = (id: number) => JSON.stringify({ result: 'success', msg: '', id })

function listen(store: BareStore): void {
  const app = App()
  app.post('/api/v1/messages', response => {
    let isGone = false
    let body = ''
    response.onAborted(() => {
      isGone = true
    })
    response.onData(async (chunk, isLast) => {
      body += Buffer.from(chunk).toString()
      if (!isLast) return
      const form = new URLSearchParams(body)
      const id = await store.insert(1, Number(form.get('to')), form.get('content') ?? '')
      if (isGone) return
      response.cork(() => {
        response.writeHeader('Content-Type', 'application/json').end(answer(id))
      })
    })
  })
  app.ws<{ isOpen: boolean }>('/api/v1/socket', {
    idleTimeout: 0,
    upgrade(response, request, context) {
      response.upgrade(
        { isOpen: true },
        request.getHeader('sec-websocket-key'),
        'chat.v1.json',
        request.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    async message(socket, frame) {
      const { id: request, params } = JSON.parse(Buffer.from(frame).toString())
      const id = await store.insert(1, params.to, params.content)
      if (socket.getUserData().isOpen)
        socket.send(`{"op":"reply","id":${request},"status":200,"body":${answer(id)}}`, false)
    },
    close(socket) {
      socket.getUserData().isOpen = false
    },
  })
  app.listen('127.0.0.1', 0, token => {
    if (!token) throw new Error('the floor found no port')
    process.send?.({ port: us_socket_local_port(token) })
  })
}
