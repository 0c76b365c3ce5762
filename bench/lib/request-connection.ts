import { authorizationOf } from './load-protocol.js'
import { PollConnection } from './poll-connection.js'
import { RawSocket } from './raw-socket.js'
import type { LoadRequest, LoadRun } from './request-load.js'

/** A connection that has one request at a time. */
export interface Asking {
  /** Resolves with the body of the answer. `number`: unique, replaces `{n}` in parameters. @throws if the request is refused */
  ask(request: LoadRequest, number: number): Promise<Buffer>
  end(): void
}

/** Over a socket all requests are those of the account of `first`. */
export const openConnection = (
  transport: NonNullable<LoadRun['transport']>,
  port: number,
  first: LoadRequest,
): Promise<Asking> => (transport === 'http' ? httpConnection(port) : socketConnection(port, first))

/** The connection answers in the order of the requests. */
function waiting() {
  let resolve: (body: Buffer) => void = () => {}
  let reject: (error: Error) => void = () => {}
  let isOver = false
  return {
    next: () =>
      new Promise<Buffer>((done, failed) => {
        resolve = done
        reject = failed
      }),
    answered: (body: Buffer) => resolve(body),
    ended: (reason: string) => void (isOver || reject(new Error(reason))),
    end: () => {
      isOver = true
    },
  }
}

const paramsOf = ({ params }: LoadRequest, number: number) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll('{n}', String(number))]))

async function httpConnection(port: number): Promise<Asking> {
  const one = waiting()
  const connection = new PollConnection({
    port,
    onBody: body => one.answered(Buffer.from(body)),
    onEnd: one.ended,
  })
  return {
    ask(request, number) {
      const answered = one.next()
      const form = new URLSearchParams(paramsOf(request, number)).toString()
      const isGet = request.method === 'GET'
      const target = `/api/v1${request.path}${isGet && form ? `?${form}` : ''}`
      const type = 'Content-Type: application/x-www-form-urlencoded\r\n'
      const head = `${request.method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: ParleyBench/1.0\r\nAuthorization: ${authorizationOf(request.who)}\r\n`
      connection.ask(isGet ? `${head}\r\n` : `${head}${type}Content-Length: ${form.length}\r\n\r\n${form}`)
      return answered
    },
    end() {
      one.end()
      connection.end()
    },
  }
}

async function socketConnection(port: number, { who: account }: LoadRequest): Promise<Asking> {
  const one = waiting()
  const socket = new RawSocket({
    port,
    account,
    onFrame: payload => {
      const { op, status, body } = JSON.parse(String(payload))
      if (op === 'reply' && status === 200) one.answered(Buffer.from(JSON.stringify(body)))
      else if (op === 'reply') one.ended(`refused: ${payload}`)
    },
    onEnd: one.ended,
  })
  await socket.opened
  return {
    ask(request, number) {
      const answered = one.next()
      const { method, path } = request
      socket.send({ op: 'request', id: number, method, path, params: paramsOf(request, number) })
      return answered
    },
    end() {
      one.end()
      socket.end()
    },
  }
}
