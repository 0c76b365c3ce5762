import type { View } from '../../../shared/capabilities.js'
import type { DefInfo } from './defs.js'

/** The view of one or more queues; queues with equal views share one object. */
export class SharedView {
  queues = 0
  /** For each event type, by its index: the number of its wire form in this view. */
  private readonly forms: (number | undefined)[] = []

  constructor(
    readonly view: View,
    readonly key: string,
  ) {}

  formOf(def: DefInfo): number {
    let form = this.forms[def.index]
    if (form === undefined) {
      form = def.formOf(this.view)
      this.forms[def.index] = form
    }
    return form
  }
}

/** The views in use, counted by use; releasing the last use removes a view, so the queues bound their number. */
export class Views {
  private readonly shared = new Map<string, SharedView>()

  take(view: View): SharedView {
    const key = JSON.stringify(Object.entries(view).sort(([a], [b]) => (a < b ? -1 : 1)))
    let shared = this.shared.get(key)
    if (!shared) {
      shared = new SharedView(view, key)
      this.shared.set(key, shared)
    }
    shared.queues++
    return shared
  }

  release(shared: SharedView): void {
    if (--shared.queues === 0) this.shared.delete(shared.key)
  }
}
