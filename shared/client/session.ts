import { Backoff } from './backoff.js'
import { type EndReason, isOfConnection, type Plan, planAfter, planAfterRefusal } from './closing.js'
import { type Closing, Connection, type ConnectionOptions } from './connection.js'
import type { Delivery } from './delivery.js'
import type { Registered, State, StateChange } from './notices.js'
import type { ConnectOptions, Params } from './options.js'
import { Registration } from './registration.js'
import { closedError, RequestError } from './request-error.js'
import type { Requests } from './requests.js'

interface SessionOptions extends Pick<ConnectOptions, 'email' | 'apiKey' | 'bySession' | 'renewedKey' | 'backoff'> {
  readonly connection: Omit<ConnectionOptions, 'onEvents' | 'onProtocolError'>
  readonly delivery: Delivery
  readonly requests: Requests
  changed(change: StateChange): void
  failed(error: unknown): void
}

// A connection resets the backoff only after this many ms; a shorter one does not predict that the next one succeeds.
const steadyMs = 5000

/** One client's session with the server, across reconnects. */
export class Session {
  private readonly backoff: Backoff
  private apiKey: string | undefined
  private connection: Connection | undefined
  private registration: Registration | undefined
  private _state: State = 'connecting'
  private resting: Connection | undefined
  private closed: Closing | undefined
  private endReason: EndReason | undefined
  private wake = () => {}

  constructor(private readonly options: SessionOptions) {
    this.apiKey = options.apiKey
    this.backoff = new Backoff(options.backoff)
  }

  get state(): State {
    return this._state
  }

  /** Runs until `finish`, or until the server closes the session for good. */
  async run(): Promise<EndReason> {
    let plan: Plan
    do {
      this.notifyState(this.stateWithoutConnection())
      plan = await this.connectOnce()
      this.options.requests.use(undefined)
      plan = await this.withRenewedKey(plan)
      if (plan.next === 'register-again' && !this.giveUpQueue()) plan = { next: 'end', reason: 'queue-gone' }
      if (plan.next !== 'end' && !this.endReason) await this.pause(plan.next === 'return' ? plan.waitMs : undefined)
    } while (plan.next !== 'end' && !this.endReason)
    const reason = this.endReason ?? (plan.next === 'end' ? plan.reason : 'closed')
    this.conclude(reason)
    return reason
  }

  /** Registers a new queue with these parameters and deletes the previous one, if any. */
  register(params: Params): Promise<Registered> {
    if (this._state === 'closed') return Promise.reject(closedError())
    const registration = new Registration(params)
    this.registration?.follow(registration)
    this.registration = registration
    if (this.connection && this._state === 'live') {
      void this._register(this.connection, registration).then(refusal => {
        // After a lost connection the next one repeats the registration.
        if (refusal && refusal.code !== 'CONNECTION_LOST') registration.fail(refusal)
      })
    }
    return registration.done
  }

  /** Registers with these parameters if the server no longer has the queue (`restarted`). */
  registerIfGone(params: Params): void {
    this.registration = new Registration(params, true)
    this.registration.isPending = false
  }

  acknowledge(lastEventId: number): void {
    if (this._state === 'live') this.connection?.send({ op: 'ack', last_event_id: lastEventId })
  }

  retry(): void {
    this.wake()
  }

  finish(reason: EndReason): void {
    this.endReason ??= reason
    this.options.delivery.stop()
    this.connection?.close()
    this.wake()
  }

  /** One connection from its opening to its end. */
  private async connectOnce(): Promise<Plan> {
    const connection = new Connection({
      ...this.options.connection,
      onEvents: events => {
        if (!this.options.delivery.received(events)) void this.rest(connection)
      },
      onProtocolError: (code, message) => this.options.failed(new RequestError(code, message)),
    })
    this.connection = connection
    const ended = connection.closed.then(closed => {
      this.closed = closed
      return planAfter(closed.code, closed.reason)
    })
    const hasOpened = await Promise.race([connection.opened.then(() => true), ended.then(() => false)])
    if (!hasOpened) return ended
    const openedAt = Date.now()
    const refusal = await this.enter(connection)
    if (refusal) {
      connection.close()
      await ended
      return refusal
    }
    const plan = await ended
    if (Date.now() - openedAt > steadyMs) this.backoff.reset()
    return plan
  }

  /**
   * Authenticates, then attaches or registers. Returns a plan if the server refused; undefined if the session is live
   * or the connection is lost.
   */
  private async enter(connection: Connection): Promise<Plan | undefined> {
    const { email, bySession, requests } = this.options
    const apiKey = this.apiKey
    if (!bySession) {
      connection.send({
        op: 'auth',
        ...(email === undefined ? {} : { email }),
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
      })
    }
    const refusal = (await this.attach(connection)) ?? (await this.registerPending(connection))
    if (refusal) return planAfterRefusal(refusal)
    if (this.endReason) return { next: 'end', reason: this.endReason }
    this.notifyState('live')
    requests.use(connection)
    return undefined
  }

  private async attach(connection: Connection): Promise<RequestError | undefined> {
    const { delivery } = this.options
    const { position } = delivery
    if (!position) return undefined
    const { queueId: queue_id, lastEventId: last_event_id } = position
    try {
      await connection.ask({ op: 'attach', queue_id, last_event_id }, () => delivery.attached(last_event_id))
    } catch (error) {
      return error as RequestError
    }
    connection.expectHeartbeats(true)
    return undefined
  }

  /**
   * Detaches while the inbox is full, and attaches when it is empty. Requests still work: listeners may wait for their
   * replies.
   */
  private async rest(connection: Connection): Promise<void> {
    if (this.resting === connection) return
    this.resting = connection
    const { delivery } = this.options
    const queueId = delivery.position?.queueId
    connection.send({ op: 'detach' })
    connection.expectHeartbeats(false)
    await delivery.emptied()
    if (this.resting === connection) this.resting = undefined
    if (connection !== this.connection || delivery.position?.queueId !== queueId) return
    // After a refusal the next connection decides what to do.
    if (await this.attach(connection)) connection.close()
  }

  private registerPending(connection: Connection): Promise<RequestError | undefined> | undefined {
    return this.registration?.isPending ? this._register(connection, this.registration) : undefined
  }

  /** Returns an error that does not depend on the parameters; the registration then stays pending. */
  private async _register(connection: Connection, registration: Registration): Promise<RequestError | undefined> {
    const { delivery, requests, failed } = this.options
    const old = delivery.position
    try {
      // Runs in the same turn in which the reply is read: the same packet may contain events of the new queue.
      await connection.ask({ op: 'register', params: registration.params }, body => {
        const registered = body as Registered
        delivery.begin({ queueId: registered.queue_id, lastEventId: registered.last_event_id })
        if (registration.isAgain) delivery.restart(registered)
        registration.succeed(registered)
        connection.expectHeartbeats(true)
      })
    } catch (error) {
      const refusal = error as RequestError
      if (isOfConnection(refusal)) return refusal
      if (registration.isAgain) failed(refusal)
      registration.fail(refusal)
      return undefined
    }
    // Without this request the server would evict the old queue only after its idle timeout.
    if (old) requests.ask('DELETE', '/events', { queue_id: old.queueId }).catch(() => {})
    return undefined
  }

  /** The queue is gone: the next connection registers with the same parameters. False: the parameters are not known. */
  private giveUpQueue(): boolean {
    this.options.delivery.forget()
    if (this.registration?.isPending) return true
    if (!this.registration) return false
    this.registration = new Registration(this.registration.params, true)
    this.registration.done.catch(() => {})
    return true
  }

  /** Returns where the application has another key in place of the rejected one. */
  private async withRenewedKey(plan: Plan): Promise<Plan> {
    const { renewedKey, failed } = this.options
    const rejected = this.apiKey
    if (plan.next !== 'end' || plan.reason !== 'unauthenticated' || !renewedKey || rejected === undefined) return plan
    this.notifyState(this.stateWithoutConnection())
    try {
      const key = await renewedKey(rejected)
      if (key === undefined || key === rejected) return plan
      this.apiKey = key
      return { next: 'return' }
    } catch (error) {
      failed(error)
      return plan
    }
  }

  private async pause(waitMs: number | undefined): Promise<void> {
    const retryInMs = waitMs ?? this.backoff.next()
    this.notifyState(this.stateWithoutConnection(), { retryInMs, closed: this.closed })
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, retryInMs)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private conclude(reason: EndReason): void {
    const { delivery, requests } = this.options
    delivery.stop()
    requests.close()
    // The caller of `register` gets the error; a registration without a caller must not cause an unhandled rejection.
    this.registration?.done.catch(() => {})
    this.registration?.fail(closedError())
    this.notifyState('closed', { reason })
  }

  private stateWithoutConnection(): State {
    return this.options.delivery.position ? 'resuming' : 'connecting'
  }

  private notifyState(state: State, more: Omit<StateChange, 'state'> = {}): void {
    if (state === this._state && Object.keys(more).length === 0 && state !== 'connecting') return
    this._state = state
    this.options.changed({ state, ...more })
  }
}
