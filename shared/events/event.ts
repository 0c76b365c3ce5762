import type { View, ViewKey } from '../capabilities.js'

/** An event without its id, in the wire form of one view. */
export type WireForm = Record<string, unknown>

/**
 * One event type. `Payload` is what an action emits: it contains the data that every view needs. The server stores it
 * once; `render` makes the wire form of one view, and the engine keeps one encoding for each view that differs.
 */
export interface EventDef<Payload extends object = Record<string, unknown>> {
  /** Unique: `type` or `type/op`. */
  readonly name: string
  readonly type: string
  readonly op?: string
  readonly doc: string
  /** The view keys that change the wire form; two views that agree on these share the encoding. */
  readonly dependsOn: readonly ViewKey[]
  /** Null: queues with this view do not get the event. An array: one event per element, in order. */
  render(payload: Payload, view: View): WireForm | WireForm[] | null
  /** How many wire events the longest form of this payload has (default 1): the feed reserves as many ids. */
  width?(payload: Payload): number
  /** Changes the state of a `/register` answer as a client does on receipt. Absent: the event changes none of it. */
  apply?(state: Record<string, unknown>, event: WireForm): void
}

/** Declares an event type. Without `render` the wire form is `type`, `op` and the payload. */
export function defineEvent<Payload extends object>(
  name: string,
  definition: Omit<EventDef<Payload>, 'name' | 'type' | 'op' | 'render' | 'dependsOn'> & {
    dependsOn?: readonly ViewKey[]
    render?: (payload: Payload, view: View) => WireForm | WireForm[] | null
  },
): EventDef<Payload> {
  const [type = name, op] = name.split('/')
  const head = op === undefined ? { type } : { type, op }
  const render = definition.render ?? ((payload: Payload) => payload as WireForm)
  return {
    ...definition,
    name,
    type,
    op,
    dependsOn: definition.dependsOn ?? [],
    render(payload, view) {
      const form = render(payload, view)
      if (form === null) return null
      return Array.isArray(form) ? form.map(one => ({ ...head, ...one })) : { ...head, ...form }
    },
  }
}
