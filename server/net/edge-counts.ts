import { areas } from '../api/index.js'
import type { Route } from '../api/route.js'
import { coarseBounds, Distribution } from '../metrics/distribution.js'
import type { Answer } from './reply.js'

/** What was answered in one area of the API. */
export class AreaCounts {
  /** By the first digit of the status. */
  readonly classes = new Float64Array(6)
  readonly duration = new Distribution(coarseBounds)
}

// They wait for an event, for most of a minute: how long says nothing of the server.
export const waiting: ReadonlySet<string> = new Set(['get_events'])
// Of requests that named no operation: no such path, no such method, a body that was too large.
const nowhere = 'none'

/** What the edge of one worker has done so far. Plain numbers: whoever counts adds to one. */
export class EdgeCounts {
  readonly areas = new Map<string, AreaCounts>()
  readonly opened = { json: 0, msgpack: 0 }
  /** Sockets that the server closed, by close code. */
  readonly closes = new Map<number, number>()
  /** By error code. */
  readonly refusals = new Map<string, number>()
  readonly #byRoute = new Map<Route, AreaCounts>()
  readonly #nowhere = this.#area(nowhere)

  constructor(routes: readonly Route[]) {
    const areaOf = new Map(Object.entries(areas).flatMap(([area, list]) => list.map(route => [route, area] as const)))
    for (const route of routes) this.#byRoute.set(route, this.#area(areaOf.get(route) ?? nowhere))
  }

  /** A request was answered that was read at `since`, by `performance.now()`. */
  answered(route: Route | undefined, { status, code }: Pick<Answer, 'status' | 'code'>, since: number): void {
    if (code !== undefined) this.refused(code)
    const area = (route && this.#byRoute.get(route)) ?? this.#nowhere
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

  #area(name: string): AreaCounts {
    const area = this.areas.get(name) ?? new AreaCounts()
    this.areas.set(name, area)
    return area
  }
}

/** What the edge of one worker holds and has done: to be read. */
export interface EdgeFigures {
  readonly counts: EdgeCounts
  readonly httpConnections: number
  readonly sockets: { readonly json: number; readonly msgpack: number }
  /** HTTP requests that are not answered yet. */
  readonly inProgress: number
  readonly isStopping: boolean
}
