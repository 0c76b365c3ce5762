import { ApiError, badRequest } from '../../shared/errors.js'
import { closeCodes } from '../../shared/wire/close-codes.js'
import type { ClientFrame } from '../../shared/wire/frames.js'
import { admit, notLoggedIn, requireOpen } from '../http/admission.js'
import { success } from '../http/answer.js'
import { answerOf } from '../http/pipeline.js'
import { anyAccount } from '../policies/allow.js'
import { registeredQueue } from './registered-queue.js'
import type { Session } from './session.js'
import { SocketRequest } from './socket-request.js'

type Frame<Op extends ClientFrame['op']> = Extract<ClientFrame, { op: Op }>

// A frame `attach` reads events as this operation does.
const queues = { method: 'GET', path: '/events', allow: anyAccount } as const

/** Executes a frame of `bytes` bytes. Undefined: done synchronously. Never rejects. */
export function handleFrame(session: Session, frame: ClientFrame, bytes: number): Promise<void> | undefined {
  switch (frame.op) {
    case 'request':
      return guard(session, request(session, frame, bytes))
    case 'register':
      return guard(session, register(session, frame, bytes))
    case 'attach':
      return guard(session, attach(session, frame))
    case 'auth':
      authenticateAgain(session, frame)
      return undefined
    case 'ack':
      acknowledge(session, frame)
      return undefined
    case 'detach':
      session.detach()
      session.reply(frame.id, success({}, [], session.codec))
      return undefined
  }
}

async function request(session: Session, frame: Frame<'request'>, bytes: number): Promise<void> {
  // HEAD is rejected: a reply has no headers.
  const asked = frame.method === 'HEAD' ? '' : frame.method
  await session.reply(frame.id, await answerOf(session.deps, new SocketRequest(session, asked, frame, bytes)))
}

async function register(session: Session, { id, params }: Frame<'register'>, bytes: number): Promise<void> {
  const answer = await answerOf(session.deps, new SocketRequest(session, 'POST', { path: '/register', params }, bytes))
  await session.reply(id, answer)
  const queue = answer.fields && registeredQueue(answer.fields)
  // A spectator gets no queue.
  if (!queue) return
  try {
    const user = session.identify()
    if (user) await session.attach(user.id, queue.queueId, queue.lastEventId)
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    // The reply is sent, so only a close code can report the failure. A stop of the server does not mean that the queue is lost.
    const code = thrown.code === 'SERVER_NOT_READY' ? closeCodes.restarting : closeCodes.queueGone
    session.sender.close(code, thrown.code)
  }
}

async function attach(session: Session, { id, queue_id, last_event_id }: Frame<'attach'>): Promise<void> {
  try {
    const { connections, caller } = session
    const user = admit(connections.keys, session)
    if (!user) throw notLoggedIn()
    requireOpen({ user, client: caller.client }, queues)
    await session.attach(user.id, queue_id, last_event_id)
    session.reply(id, success({ queue_id }, [], session.codec))
  } catch (thrown) {
    session.reply(id, session.refusal(thrown, 'attach'))
  }
}

function acknowledge(session: Session, { last_event_id }: Frame<'ack'>): void {
  try {
    session.acknowledge(last_event_id)
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    session.refuseFrame(thrown)
  }
}

function authenticateAgain(session: Session, { id }: Frame<'auth'>): void {
  try {
    session.charge()
    throw badRequest('This socket is authenticated already.')
  } catch (thrown) {
    session.reply(id, session.refusal(thrown, 'auth'))
  }
}

/** An unexpected error closes the socket instead of ending the process; the client reconnects and attaches. */
async function guard(session: Session, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (err) {
    session.connections.ctx.log.error({ err }, 'a frame could not be handled')
    session.sender.close(closeCodes.restarting, 'internal error')
  }
}
