import type { Machine } from './machine.js'

/** What a scenario found out: printed as tables, as JSON with `--json`, and drawn by the report. */
export interface Result {
  /** Its name on the command line. */
  readonly scenario: string
  /** The one question that it answers. */
  readonly question: string
  readonly machine: Machine
  /** Options with which it ran: whoever repeats it needs them. */
  readonly options: Readonly<Record<string, string | number | boolean>>
  /** Share of the machine that other processes took, 0 to 1; above a tenth, measure again. */
  readonly othersShare: { readonly median: number; readonly most: number }
  /** What has to be known to read the tables: sentences. */
  readonly notes: readonly string[]
  readonly tables: readonly ResultTable[]
  readonly charts: readonly Chart[]
  readonly targets: readonly Target[]
}

export interface ResultTable {
  readonly title: string
  /** The first column is the row's name. `decimals`: of its numbers, 0 if not given; `percent`: shares are shown as such. */
  readonly columns: readonly { readonly name: string; readonly decimals?: number; readonly percent?: boolean }[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly (number | string | null)[] }[]
}

export interface Chart {
  readonly title: string
  readonly kind: 'bars' | 'lines'
  readonly x: { readonly name: string; readonly logarithmic?: boolean }
  readonly y: { readonly name: string; readonly logarithmic?: boolean }
  /** Bars: x is a category's name. */
  readonly series: readonly {
    readonly name: string
    readonly points: readonly (readonly [string | number, number])[]
  }[]
}

/** A figure that is promised. */
export interface Target {
  readonly what: string
  readonly limit: number
  readonly found: number
  /** How `found` relates to `limit` when the promise is kept. */
  readonly is: 'atMost' | 'atLeast'
  readonly unit: string
}

export const isKept = ({ limit, found, is }: Target): boolean => (is === 'atMost' ? found <= limit : found >= limit)
