import type { z } from 'zod'
import type { View, ViewKey } from '../capabilities.js'
import type { DeepReadonly } from '../resources/deep-readonly.js'
import type { AuditChange, AuditedState } from './audit.js'
import type { ClientState } from './client-state.js'

/** An event without its id, in the wire form of one view. */
export type WireForm = Record<string, unknown>

/** The fields of a schema as the server emits them. */
export type FieldsOf<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>

/**
 * One event type. `Payload` is what an action emits: it contains the data that every view needs. The server stores it
 * once; `render` makes the wire form of one view, and the engine keeps one encoding for each view that differs.
 */
export interface EventDef<
  Payload extends object = Record<string, unknown>,
  Name extends string = string,
  Fields extends z.ZodObject = z.ZodObject,
> {
  /** Unique: `type` or `type/op`. A name with an underscore in front is an event for workers, never for clients. */
  readonly name: Name
  readonly type: string
  readonly op?: string
  readonly doc: string
  /**
   * The wire form without id, type and op. Types, the OpenAPI document and tests come from it; the server does not
   * validate what it emits. Fields that only some views have are optional.
   */
  readonly fields: Fields
  /** The view keys that change the wire form; two views that agree on these share the encoding. */
  readonly dependsOn: readonly ViewKey[]
  /** Each worker refreshes its directory when the event passes. */
  readonly changesDirectory: boolean
  /** Null: queues with this view do not get the event. An array: one event per element, in order. */
  render(payload: Payload, view: View): WireForm | readonly WireForm[] | null
  /** How many wire events the longest form of this payload has (default 1): the feed reserves as many ids. */
  width?(payload: Payload): number
  /** The administrative changes that the event reports, for the audit log. Absent: the event is not audited. */
  audit?(payload: Payload, before: AuditedState): readonly AuditChange[]
  /** Changes a client's state on receipt. Absent: the event changes nothing that the register answer contains. */
  apply?(state: ClientState, event: z.output<Fields>): void
}

/**
 * Declares an event type. Without `render` the wire form is `type`, `op` and the payload. Builds of pages drop the call
 * with its schema and keep only the functions of the file that the page imports (server/web/build/droppable-schemas.mjs).
 */
export function defineEvent<
  const Name extends string,
  Fields extends z.ZodObject,
  Payload extends object = FieldsOf<Fields>,
>(
  name: Name,
  definition: Pick<EventDef<Payload, Name, Fields>, 'doc' | 'fields' | 'width' | 'audit' | 'apply'> & {
    dependsOn?: readonly ViewKey[]
    changesDirectory?: true
    render?: (payload: Payload, view: View) => FieldsOf<Fields> | readonly FieldsOf<Fields>[] | null
  },
): EventDef<Payload, Name, Fields> {
  const [type = name, op] = name.split('/')
  const head = op === undefined ? { type } : { type, op }
  const render = definition.render ?? ((payload: Payload) => payload as WireForm)
  return {
    ...definition,
    name,
    type,
    op,
    dependsOn: definition.dependsOn ?? [],
    changesDirectory: definition.changesDirectory ?? false,
    render(payload, view) {
      const form = render(payload, view)
      if (form === null) return null
      return isList(form) ? form.map(one => ({ ...head, ...one })) : { ...head, ...form }
    },
  }
}

// Array.isArray does not narrow readonly arrays.
const isList = (form: object): form is readonly object[] => Array.isArray(form)
