import type { Route } from '../../api/route.js'

/** An operation as assistants see it (docs/protocol/assistants.md). */
export interface Tool {
  readonly route: Route
  /** As the protocol lists it. */
  readonly listed: {
    readonly name: string
    readonly description: string
    /** A JSON Schema. */
    readonly inputSchema: object
    readonly annotations: { readonly readOnlyHint: boolean }
  }
}
