import type { Account } from '../lib/load-protocol.js'

export type Transport = 'http' | 'socket'

/** The senders take turns, each over its own connection, and send the next message after each answer. */
export interface SendRun {
  readonly port: number
  readonly transport: Transport
  readonly senders: readonly Account[]
  readonly inFlight: number
  readonly channelId: number
  readonly textLength: number
  readonly seconds: number
  /** Each sender sends at this rate, or as soon as the one before is answered; default: at once. */
  readonly perSecond?: number
}

export interface SendResult {
  readonly sent: number
  readonly elapsedMs: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Share of one core that the load process used. */
  readonly clientCore: number
}

export type SendAnswer =
  | { readonly ok: true; readonly result: SendResult }
  | { readonly ok: false; readonly reason: string }
