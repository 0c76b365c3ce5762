import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { serve } from '../lib/serve.js'

// The floor: reads a file for each GET, and stores the body of each other request as a file, durably, without looking at it.
const directory = process.env.FLOOR_DIRECTORY ?? ''
let number = 0

async function store(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    return pipeline(createReadStream(join(directory, 'file')), response)
  }
  if (request.url?.startsWith('/api/v1/tus/') && request.method === 'POST') {
    response.writeHead(201, { location: `http://127.0.0.1/api/v1/tus/${++number}` }).end()
    return
  }
  const path = join(directory, `stored${++number}`)
  await pipeline(request, createWriteStream(path))
  const file = await open(path)
  await file.sync()
  await file.close()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"url":"/stored"}')
  await rm(path)
}

const server = createServer(
  (request, response) => void store(request, response).catch(error => response.destroy(error)),
)
serve(() => undefined)
server.listen(0, '127.0.0.1', () => process.send?.({ ok: true, port: (server.address() as AddressInfo).port }))
