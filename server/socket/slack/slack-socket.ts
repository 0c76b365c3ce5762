import type { WebSocket } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import { type CloseCode, closeCodes, closeReasons } from '../../../shared/wire/close-codes.js'
import { type Applicant, admitNow } from '../../http/admission.js'
import { refusal } from '../../http/answer.js'
import type { Connections, OpenSocket } from '../../http/connections.js'
import { appIdOf, type Delivery, deliveriesOf } from '../../http/slack/envelopes.js'
import type { Fields } from '../../http/slack/method.js'
import { SlackCall } from '../../http/slack/slack-call.js'
import { newQueue, slackQueue } from '../../http/slack/slack-queue.js'
import { CallerCharges } from '../../limits/caller-charges.js'
import type { SlackPlace } from '../../redis/slack-places.js'
import type { UserRow } from '../../store/users/users.js'
import { SocketSender } from '../socket-sender.js'

interface Opening {
  /** Undefined: the ticket is not valid. */
  readonly user: UserRow | undefined
  readonly host: string
  readonly client: string
  readonly address: string
}

// Envelopes of so many events are out at once.
const mostEvents = 100
// A program acknowledges before it works on an event.
const acknowledgeMs = 30_000

/**
 * One socket of a program that was made for Slack. It reads its queue by polls: the events of one are sent as envelopes, and the next poll, which
 * acknowledges them in the queue, waits until the program has acknowledged them all. So the queue holds what is not acknowledged, and any
 * worker goes on after the last event that is.
 */
export class SlackSocket implements OpenSocket {
  readonly codec = 'json'
  readonly requestId: string
  readonly address: string
  private readonly sender: SocketSender
  private readonly charges: CallerCharges
  private readonly leaving = new AbortController()
  /** Ids of envelopes that are not acknowledged. */
  private readonly unacknowledged = new Set<string>()
  private proceed: (() => void) | undefined
  private countedFor: number | undefined

  constructor(
    private readonly connections: Connections,
    private readonly opening: Opening,
  ) {
    this.address = opening.address
    this.requestId = connections.ids.text(connections.ids.next(), '')
    this.sender = new SocketSender(connections, 'json')
    this.charges = new CallerCharges(connections.limits, opening)
  }

  // Callbacks of uWebSockets.

  opened(socket: WebSocket<unknown>): void {
    const { connections, sender, charges } = this
    sender.opened(socket)
    if (connections.isStopping) {
      sender.close(closeCodes.restarting, closeReasons.restarting)
      return
    }
    connections.sockets.add(this)
    connections.counts.opened.json++
    connections.socketCounts.opened(charges.network)
    void this.run()
  }

  /** An acknowledgement. Anything else counts as a request, so that it has a limit. */
  receive(bytes: ArrayBuffer, isBinary: boolean): void {
    const id = isBinary ? undefined : envelopeIn(Buffer.from(bytes).toString('utf8'))
    if (id !== undefined && this.unacknowledged.delete(id)) {
      if (this.unacknowledged.size === 0) this.proceed?.()
      return
    }
    try {
      this.charges.charge(this.countedFor)
    } catch {
      this.close(closeCodes.rateLimit, '1')
    }
  }

  closed(): void {
    const { connections, sender, charges } = this
    sender.closed()
    if (connections.sockets.delete(this)) connections.socketCounts.closed(charges.network, this.countedFor)
    this.leaving.abort()
    this.proceed?.()
  }

  /** The server stops: another worker goes on. */
  stop(): void {
    this.disconnect('refresh_requested', closeCodes.restarting, closeReasons.restarting)
  }

  private async run(): Promise<void> {
    const { connections, opening, charges } = this
    try {
      const caller = await this.admitted(opening.user)
      connections.socketCounts.identified(charges.network, caller.id)
      this.countedFor = caller.id
      this.send({ type: 'hello', num_connections: 1, connection_info: { app_id: appIdOf(caller.id) } })
      await this.deliver(caller)
    } catch (thrown) {
      this.refuse(thrown)
    }
  }

  /** @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT */
  private async admitted(user: UserRow | undefined): Promise<UserRow> {
    const { charges } = this
    const applicant: Applicant = {
      identify() {
        if (user) return user
        charges.admit()
        throw new ApiError('UNAUTHORIZED', 'The address of this socket is not valid any more.')
      },
      charge: found => charges.charge(found?.id),
    }
    // The applicant names an account, or is refused.
    return (await admitNow(this.connections, applicant)) as UserRow
  }

  private async deliver(first: UserRow): Promise<void> {
    let call = this.callOf(first)
    let place = await slackQueue(call)
    while (this.sender.isOpen) {
      const texts = await this.eventsAfter(call, place)
      if (!texts) {
        // The queue was forgotten, perhaps because the key was revoked.
        call = this.callOf(await this.admitted(call.caller))
        place = await newQueue(call)
        continue
      }
      if (texts.length === 0) {
        this.disconnect('refresh_requested', closeCodes.replaced, 'another connection reads this queue')
        return
      }
      const lastEventId = await this.pass(await deliveriesOf(call, texts), place.lastEventId)
      place = { queueId: place.queueId, lastEventId }
      await this.connections.ctx.slackPlaces.keep(call.caller.id, place)
    }
  }

  private callOf(caller: UserRow): SlackCall {
    const { charges, requestId, opening } = this
    return new SlackCall(this.connections, { ...opening, requestId, bytes: 0, charges }, caller)
  }

  /** Undefined: there is no such queue any more. Empty: another consumer has it, or the socket is closed. */
  private async eventsAfter({ caller }: SlackCall, place: SlackPlace): Promise<readonly string[] | undefined> {
    const { realtime } = this.connections.ctx
    const { signal } = this.leaving
    try {
      const { events } = await realtime.poll(place.queueId, caller.id, place.lastEventId, { dontBlock: false, signal })
      return events.slice(0, mostEvents)
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'BAD_EVENT_QUEUE_ID') return undefined
      throw thrown
    }
  }

  /** Sends the envelopes, and waits until they are acknowledged. Returns the last event up to which all are. */
  private async pass(deliveries: readonly Delivery[], before: number): Promise<number> {
    const out = deliveries.map(({ id, envelopes }) => ({ id, ids: envelopes.map(one => String(one.envelope_id)) }))
    for (const { ids } of out) for (const id of ids) this.unacknowledged.add(id)
    for (const { envelopes } of deliveries) for (const one of envelopes) this.send(one)
    await this.acknowledged()
    const open = out.findIndex(({ ids }) => ids.some(id => this.unacknowledged.has(id)))
    this.unacknowledged.clear()
    return (open < 0 ? out.at(-1) : out[open - 1])?.id ?? before
  }

  /** Resolves when all envelopes are acknowledged, or the socket is closed: also if the program does not acknowledge them in time. */
  private acknowledged(): Promise<void> {
    if (this.unacknowledged.size === 0 || !this.sender.isOpen) return Promise.resolve()
    return new Promise(resolve => {
      const late = setTimeout(() => this.close(closeCodes.tooSlow, 'envelopes were not acknowledged'), acknowledgeMs)
      this.proceed = () => {
        this.proceed = undefined
        clearTimeout(late)
        resolve()
      }
    })
  }

  private refuse(thrown: unknown): void {
    if (!this.sender.isOpen) return
    const { ctx, counts } = this.connections
    const { code = 'INTERNAL_ERROR', headers } = refusal(ctx, thrown, {
      operation: 'slack_socket',
      codec: 'json',
      named: this,
    })
    counts.refused(code)
    const wait = headers.find(([name]) => name === 'Retry-After')?.[1]
    if (code === 'RATE_LIMIT_HIT') this.close(closeCodes.rateLimit, wait ?? '1')
    else if (code === 'UNAUTHORIZED') this.disconnect('link_disabled', closeCodes.unauthenticated, 'no longer allowed')
    else this.disconnect('refresh_requested', closeCodes.restarting, closeReasons.restarting)
  }

  private disconnect(reason: string, code: CloseCode, text: string): void {
    this.send({ type: 'disconnect', reason })
    this.close(code, text)
  }

  private send(fields: Fields): void {
    this.sender.send(JSON.stringify(fields))
  }

  private close(code: CloseCode, reason: string): void {
    this.sender.close(code, reason)
  }
}

/** The id of an envelope that a frame acknowledges. */
function envelopeIn(text: string): string | undefined {
  try {
    const id: unknown = JSON.parse(text)?.envelope_id
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
