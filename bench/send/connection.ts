import type { Account } from '../lib/load-protocol.js'
import { PollConnection } from '../lib/poll-connection.js'
import { RawSocket } from '../lib/raw-socket.js'
import type { SendRun } from './protocol.js'

/** A connection that sends one message at a time. */
export interface SendConnection {
  /** Resolves with the message's id. */
  send(number: number): Promise<number>
  end(): void
}

// Filler in the style of chat messages.
const filler = 'the quick brown fox jumps over the lazy dog and says that all of this has been said before '

/** The text of a message; each message of a run has another text. */
function content(number: number, length: number): string {
  return `message ${String(number).padStart(7, '0')} ${filler.repeat(Math.ceil(length / filler.length))}`.slice(
    0,
    length,
  )
}

export const openConnection = (run: SendRun, sender: Account): Promise<SendConnection> =>
  run.transport === 'http' ? httpConnection(run, sender) : socketConnection(run, sender)

const authorizationOf = ({ email, api_key }: Account): string =>
  `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`

/** The connection answers in the order of the requests. */
function waiting() {
  let resolve: (id: number) => void = () => {}
  let reject: (error: Error) => void = () => {}
  let isOver = false
  return {
    next: () =>
      new Promise<number>((done, failed) => {
        resolve = done
        reject = failed
      }),
    answered: (answer: string, id: unknown) =>
      typeof id === 'number' ? resolve(id) : reject(new Error(`a message was refused: ${answer}`)),
    ended: (reason: string) => void (isOver || reject(new Error(`a connection ended: ${reason}`))),
    end: () => {
      isOver = true
    },
  }
}

async function httpConnection({ port, channelId, textLength }: SendRun, sender: Account): Promise<SendConnection> {
  const one = waiting()
  const connection = new PollConnection({
    host: '127.0.0.1',
    port,
    onBody: body => one.answered(String(body), JSON.parse(String(body)).id),
    onEnd: one.ended,
  })
  const head = `POST /api/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: ParleyBench/1.0\r\nAuthorization: ${authorizationOf(sender)}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: `
  return {
    send(number) {
      const answered = one.next()
      const form = new URLSearchParams({
        type: 'stream',
        to: String(channelId),
        topic: 'measurement',
        content: content(number, textLength),
      }).toString()
      connection.ask(`${head}${form.length}\r\n\r\n${form}`)
      return answered
    },
    end() {
      one.end()
      connection.end()
    },
  }
}

async function socketConnection({ port, channelId, textLength }: SendRun, sender: Account): Promise<SendConnection> {
  const one = waiting()
  const socket = new RawSocket({
    host: '127.0.0.1',
    port,
    path: '/api/v1/socket',
    headers: {
      Authorization: authorizationOf(sender),
      'Sec-WebSocket-Protocol': 'chat.v1.json',
      'User-Agent': 'ParleyBench/1.0',
    },
    onFrame: payload => {
      const { op, body } = JSON.parse(String(payload))
      if (op === 'reply') one.answered(String(payload), body.id)
    },
    onEnd: one.ended,
  })
  await socket.opened
  return {
    send(number) {
      const answered = one.next()
      const params = { type: 'stream', to: channelId, topic: 'measurement', content: content(number, textLength) }
      socket.send(JSON.stringify({ op: 'request', id: number, method: 'POST', path: '/messages', params }))
      return answered
    },
    end() {
      one.end()
      socket.end()
    },
  }
}
