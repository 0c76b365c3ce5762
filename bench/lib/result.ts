import type { Machine } from './machine.js'

/** The result of a scenario: printed as tables, as JSON with `--json`, and drawn by the report. */
export interface Result {
  /** Its name on the command line. */
  readonly scenario: string
  /** The one question that it answers. */
  readonly question: string
  readonly machine: Machine
  /** The options of the run, so that it can be repeated. */
  readonly options: Readonly<Record<string, string | number | boolean>>
  /** Share of the machine's CPU time that other processes used, 0 to 1; above 0.1, repeat the measurement. */
  readonly othersShare: { readonly median: number; readonly most: number }
  /** Sentences that a reader of the tables needs. */
  readonly notes: readonly string[]
  readonly tables: readonly ResultTable[]
  readonly charts: readonly Chart[]
  readonly targets: readonly Target[]
}

export interface ResultTable {
  readonly title: string
  /** The first column contains the row's name. `decimals`: of its numbers, default 0; `percent`: print shares as percentages. */
  readonly columns: readonly { readonly name: string; readonly decimals?: number; readonly percent?: boolean }[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly (number | string | null)[] }[]
}

export interface Chart {
  readonly title: string
  readonly kind: 'bars' | 'lines'
  readonly x: { readonly name: string; readonly logarithmic?: boolean }
  readonly y: { readonly name: string; readonly logarithmic?: boolean }
  /** For bars, x is a category's name. */
  readonly series: readonly {
    readonly name: string
    readonly points: readonly (readonly [string | number, number])[]
  }[]
}

/** A figure with a limit that the project promises. */
export interface Target {
  readonly what: string
  readonly limit: number
  readonly found: number
  /** How `found` must relate to `limit`. */
  readonly is: 'atMost' | 'atLeast'
  readonly unit: string
}

export const isKept = ({ limit, found, is }: Target): boolean => (is === 'atMost' ? found <= limit : found >= limit)
