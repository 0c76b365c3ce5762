import { total } from '../lib/cpu.js'
import type { Measured } from '../lib/measured.js'
import type { SendResult } from './protocol.js'

/** One run of one server. Microseconds are CPU time per message. */
export interface SendFigures {
  readonly serverUs: number
  readonly postgresUs: number
  readonly redisUs: number
  /** Server and PostgreSQL together. */
  readonly sumUs: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly clientCore: number
  readonly othersShare: number
}

export function sendFigures({ found, usage, othersShare }: Measured<SendResult>): SendFigures {
  const each = (part: keyof typeof usage) => total(usage[part]) / found.sent
  return {
    serverUs: each('server'),
    postgresUs: each('postgres'),
    redisUs: each('redis'),
    sumUs: each('server') + each('postgres'),
    perSecond: (found.sent / found.elapsedMs) * 1000,
    p50Ms: found.p50,
    p99Ms: found.p99,
    clientCore: found.clientCore,
    othersShare,
  }
}
