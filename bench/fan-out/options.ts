import { parseArgs } from 'node:util'
import { defaultAck } from '../../shared/client/acknowledgements.js'
import type { Codec } from '../../shared/wire/codec.js'
import { type PeerName, peerNames } from './peer.js'

// Half a minute of five events a second.
export const mostPaced = 150

export interface FanOutOptions {
  readonly queues: readonly number[]
  readonly codecs: readonly Codec[]
  readonly peers: readonly PeerName[]
  /** Deliveries in each run, the same for every number of queues. */
  readonly deliveries: number
  /** Most events of a run of five a second. */
  readonly paced: number
  readonly rounds: number
  readonly workers: number
  /** Characters of a message's text. */
  readonly text: number
  /** A socket acknowledges within this many ms. */
  readonly ack: number
  readonly json: boolean
}

export function readFanOutOptions(args: string[]): FanOutOptions {
  const { values } = parseArgs({
    args,
    options: {
      queues: { type: 'string', default: '1000,5000' },
      codec: { type: 'string', default: 'json' },
      // Compared with the server and the floor, in the first measurement only.
      peers: { type: 'string', default: 'ws,socketio' },
      deliveries: { type: 'string', default: '200000' },
      paced: { type: 'string', default: String(mostPaced) },
      rounds: { type: 'string', default: '3' },
      workers: { type: 'string', default: '1' },
      text: { type: 'string', default: '594' },
      // The default of the client package (shared/client).
      ack: { type: 'string', default: String(defaultAck.ms) },
      json: { type: 'boolean', default: false },
    },
  })
  return {
    queues: values.queues.split(',').map(text => count('queues', text)),
    codecs: values.codec.split(',').map(codecOf),
    peers: values.peers.split(',').filter(Boolean).map(peerOf),
    deliveries: count('deliveries', values.deliveries),
    paced: count('paced', values.paced),
    rounds: count('rounds', values.rounds),
    workers: count('workers', values.workers),
    text: count('text', values.text),
    ack: count('ack', values.ack),
    json: values.json,
  }
}

/** Enough events for some seconds of CPU time, measured in ticks of 10 ms, and for the first event to have little weight. */
export const eventsFor = (deliveries: number, queues: number): number =>
  Math.max(20, Math.min(1000, Math.round(deliveries / queues)))

function codecOf(text: string): Codec {
  if (text !== 'json' && text !== 'msgpack') throw new Error('--codec is json, msgpack or both with a comma')
  return text
}

function peerOf(text: string): PeerName {
  if (!Object.hasOwn(peerNames, text)) throw new Error(`--peers knows ws and socketio, not ${text}`)
  return text as PeerName
}

export function count(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
  return number
}
