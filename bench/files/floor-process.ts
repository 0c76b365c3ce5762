import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { serve } from '../lib/serve.js'

// The floor: reads a file for each request.
const directory = process.env.FLOOR_DIRECTORY ?? ''
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  pipeline(createReadStream(join(directory, 'file')), response).catch(error => response.destroy(error))
})
serve(() => undefined)
server.listen(0, '127.0.0.1', () => process.send?.({ ok: true, port: (server.address() as AddressInfo).port }))
