import type { EventDef } from './event.js'

// biome-ignore lint/suspicious/noExplicitAny: a list of definitions whose payloads differ
const definitions: readonly EventDef<any>[] = []

/** Every event type by its name (`type` or `type/op`). */
export const eventDefs: ReadonlyMap<string, EventDef> = new Map(definitions.map(def => [def.name, def]))
