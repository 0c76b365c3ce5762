import type { View } from '../../../shared/capabilities.js'
import type { EventDef, WireForm } from '../../../shared/events/event.js'
import type { Log } from '../../log.js'

/** An event type and its wire forms: one for each combination of values of the view keys on which the type depends. */
export class DefInfo {
  private readonly forms = new Map<string, number>()
  /** A narrow filters only these events. */
  readonly isMessage: boolean

  constructor(
    readonly def: EventDef,
    readonly index: number,
    private readonly log: Log,
  ) {
    this.isMessage = def.type === 'message'
  }

  /** Logs an exception and returns null: a fault in one event type must not stop delivery. */
  render(payload: object, view: View): WireForm | readonly WireForm[] | null {
    try {
      return this.def.render(payload as Record<string, unknown>, view)
    } catch (error) {
      this.log.error({ error, event: this.def.name }, 'an event could not be rendered')
      return null
    }
  }

  /** Views with the same number here share every encoding of this event type. */
  formOf(view: View): number {
    const key = this.def.dependsOn.map(name => String(view[name])).join()
    let form = this.forms.get(key)
    if (form === undefined) {
      form = this.forms.size
      this.forms.set(key, form)
    }
    return form
  }
}

export class Defs {
  private readonly byName = new Map<string, DefInfo>()

  constructor(defs: ReadonlyMap<string, EventDef>, log: Log) {
    for (const [name, def] of defs) this.byName.set(name, new DefInfo(def, this.byName.size, log))
  }

  find(name: string): DefInfo | undefined {
    return this.byName.get(name)
  }
}
