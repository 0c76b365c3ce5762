import { type ParseArgsConfig, parseArgs } from 'node:util'
import { defaultAck } from '../../shared/client/acknowledgements.js'
import type { Codec } from '../../shared/wire/codec.js'

export interface FanOutOptions {
  readonly queues: number
  readonly events: number
  readonly rounds: number
  readonly codec: Codec
  readonly workers: number
  /** Characters of a message's text. */
  readonly text: number
  /** Milliseconds between two acknowledgements of a socket. */
  readonly ack: number
  readonly json: boolean
}

export function readOptions(args: string[]): FanOutOptions {
  const { values } = parseArgs({
    args,
    options: {
      queues: { type: 'string', default: '1000' },
      events: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      codec: { type: 'string', default: 'json' },
      workers: { type: 'string', default: '1' },
      text: { type: 'string', default: '594' },
      // The default of the client package (shared/client).
      ack: { type: 'string', default: String(defaultAck.ms) },
      json: { type: 'boolean', default: false },
    },
  })
  const queues = wholeNumber('queues', values.queues)
  if (values.codec !== 'json' && values.codec !== 'msgpack') throw new Error('--codec is json or msgpack')
  return {
    queues,
    // A round then takes some seconds of CPU time, measured in ticks of 10 ms.
    events:
      values.events === undefined
        ? Math.max(50, Math.min(2000, Math.round(400_000 / queues)))
        : wholeNumber('events', values.events),
    rounds: wholeNumber('rounds', values.rounds),
    codec: values.codec,
    workers: wholeNumber('workers', values.workers),
    text: wholeNumber('text', values.text),
    ack: wholeNumber('ack', values.ack),
    json: values.json,
  }
}

/** A number of the command line. @throws unless it is whole and above zero */
export function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
  return number
}

/** Reads the options of a scenario that are numbers, given with their defaults, and `--json`. `perSecond` is `--per-second`. */
export function readCounts<Name extends string>(
  args: string[],
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> & { readonly json: boolean } {
  const names = Object.keys(defaults) as Name[]
  const optionOf = (name: Name) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const numbers = names.map(name => [optionOf(name), { type: 'string', default: String(defaults[name]) }] as const)
  const options: NonNullable<ParseArgsConfig['options']> = { ...Object.fromEntries(numbers), json: { type: 'boolean' } }
  const { values } = parseArgs({ args, options })
  const counts = names.map(name => [name, wholeNumber(optionOf(name), String(values[optionOf(name)]))] as const)
  return { ...(Object.fromEntries(counts) as Record<Name, number>), json: values.json === true }
}
