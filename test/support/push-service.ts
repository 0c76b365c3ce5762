import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import type { Loose } from './in-step.js'
import type { Teardown } from './services.js'

/** A push as its receiver reads it. */
export interface ReceivedPush {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: number
  readonly json: Loose
}

/** Answers a push; what it does not answer stays open. */
type Answer = (response: ServerResponse, path: string) => void

/** The keys of a receiver, which decrypt as RFC 8291 says, independently of the server. */
export class Receiver {
  private readonly pair = createECDH('prime256v1')
  readonly auth: Buffer = randomBytes(16)

  constructor(privateKey?: Buffer, auth?: Buffer) {
    if (privateKey) this.pair.setPrivateKey(privateKey)
    else this.pair.generateKeys()
    if (auth) this.auth = auth
  }

  get p256dh(): Buffer {
    return this.pair.getPublicKey()
  }

  /** As the operation `add_push_device` takes it. */
  device(endpoint: string, name = 'Browser') {
    return { endpoint, p256dh: this.p256dh.toString('base64url'), auth: this.auth.toString('base64url'), name }
  }

  decrypt(body: Buffer): Buffer {
    const [salt, size, point] = [body.subarray(0, 16), body.readUInt32BE(16), body.subarray(21, 21 + (body[20] ?? 0))]
    const record = body.subarray(21 + point.length)
    if (record.length > size) throw new Error('there is more than one record')
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.p256dh, point])
    const secret = Buffer.from(hkdfSync('sha256', this.pair.computeSecret(point), this.auth, info, 32))
    const derived = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
    const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
    decipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    const end = padded.lastIndexOf(2)
    if (end < 0) throw new Error('the record is not the last one')
    return padded.subarray(0, end)
  }
}

/** The claims of the header `Authorization` of a push (RFC 8292). @throws if the signature is wrong */
export async function claimsOf(authorization = '') {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  if (decodeProtectedHeader(token).alg !== 'ES256') throw new Error('another algorithm')
  const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y } as never, 'ES256'))
  return { ...payload, key }
}

/** A push service on this machine, which hands each push to its receiver. */
export class PushService {
  readonly received: ReceivedPush[] = []
  private readonly receivers = new Map<string, Receiver>()
  private readonly server = createServer((request, response) => void this.take(request, response))
  private readonly waiting = new Set<() => void>()
  answer: Answer = response => response.writeHead(201).end()

  static async start(t: Teardown): Promise<PushService> {
    const service = new PushService()
    service.server.listen(0, '127.0.0.1')
    await once(service.server, 'listening')
    t.teardown(() => {
      service.server.closeAllConnections()
      service.server.close()
    })
    return service
  }

  /** What the setting PUSH_PRIVATE_ORIGINS takes. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** A device whose pushes arrive at this path. */
  device(path: string, receiver = new Receiver()) {
    this.receivers.set(path, receiver)
    return receiver.device(`${this.origin}${path}`, path)
  }

  /** Waits for a push to the path that `isIt` accepts. */
  async next(path: string, isIt: (json: Loose) => boolean = () => true): Promise<ReceivedPush> {
    for (;;) {
      const at = this.received.findIndex(push => push.path === path && isIt(push.json))
      const [found] = at < 0 ? [] : this.received.splice(at, 1)
      if (found) return found
      await new Promise<void>(resolve => this.waiting.add(resolve))
    }
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const body = Buffer.concat((await request.toArray()) as Buffer[])
    const path = request.url ?? ''
    const receiver = this.receivers.get(path)
    const json = receiver ? JSON.parse(receiver.decrypt(body).toString()) : undefined
    this.received.push({ path, headers: request.headers, bytes: body.length, json })
    this.answer(response, path)
    for (const wake of this.waiting) wake()
    this.waiting.clear()
  }
}
