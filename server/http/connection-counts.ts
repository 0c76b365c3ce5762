import { areas } from '../api/index.js'
import type { Route } from '../api/route.js'
import { coarseBounds, Distribution } from '../metrics/distribution.js'
import type { Answer } from './answer.js'

/** Answers in one area of the API. */
class AreaCounts {
  /** Number of answers by the first digit of the status. */
  readonly classes = new Float64Array(6)
  readonly duration = new Distribution(coarseBounds)
}

// Long polls wait up to a minute for an event, so their duration says nothing about the server.
export const waiting: ReadonlySet<string> = new Set(['get_events'])
// The area of requests that match no operation: unknown path, unknown method, body too large.
const nowhere = 'none'

/** Counters of one worker's HTTP and socket layer since its start. */
export class ConnectionCounts {
  readonly areas = new Map<string, AreaCounts>()
  readonly opened = { json: 0, msgpack: 0 }
  /** Sockets that the server closed, by close code. */
  readonly closes = new Map<number, number>()
  /** Number of errors by error code. */
  readonly refusals = new Map<string, number>()
  private readonly byRoute = new Map<Route, AreaCounts>()
  private readonly nowhere = this.area(nowhere)

  constructor(routes: readonly Route[]) {
    const areaOf = new Map(Object.entries(areas).flatMap(([area, list]) => list.map(route => [route, area] as const)))
    for (const route of routes) this.byRoute.set(route, this.area(areaOf.get(route) ?? nowhere))
  }

  /** Counts an answer to a request that was read at `since` (performance.now(), in ms). */
  answered(route: Route | undefined, { status, code }: Pick<Answer, 'status' | 'code'>, since: number): void {
    if (code !== undefined) this.refused(code)
    const area = (route && this.byRoute.get(route)) ?? this.nowhere
    const kind = Math.floor(status / 100)
    area.classes[kind] = (area.classes[kind] as number) + 1
    if (route && !waiting.has(route.operation)) area.duration.observe((performance.now() - since) / 1000)
  }

  closed(code: number): void {
    this.closes.set(code, (this.closes.get(code) ?? 0) + 1)
  }

  refused(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
  }

  private area(name: string): AreaCounts {
    const area = this.areas.get(name) ?? new AreaCounts()
    this.areas.set(name, area)
    return area
  }
}

/** Present state and counters of one worker's HTTP and socket layer, for metrics. */
export interface ConnectionFigures {
  readonly counts: ConnectionCounts
  readonly httpConnections: number
  readonly sockets: { readonly json: number; readonly msgpack: number }
  /** HTTP requests that have no answer yet. */
  readonly inProgress: number
  readonly isStopping: boolean
}
