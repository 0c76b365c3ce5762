import type { StoreAddress } from '../lib/store-address.js'

/** One request of a cycle. `{n}` in a parameter becomes a unique number. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below /api/v1. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly email: string
  readonly api_key: string
}

export interface LoadRun {
  readonly port: number
  readonly requests: readonly LoadRequest[]
  readonly inFlight: number
  /** The run ends after this many requests, or after this many seconds. */
  readonly count?: number
  readonly seconds?: number
}

export interface LoadResult {
  readonly requests: number
  readonly elapsedMs: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Median size of the bodies in bytes. */
  readonly bytes: number
  /** The longest body. */
  readonly body: string
}

export type LoadAnswer =
  | { readonly ok: true; readonly result: LoadResult }
  | { readonly ok: false; readonly reason: string }

/** The floor's work for each request before it answers. */
export type FloorWork =
  | { readonly kind: 'bytes' }
  /** Concatenates the answer from the elements of its lists. */
  | { readonly kind: 'join' }
  /** Writes one value to Redis. */
  | { readonly kind: 'redis' }
  /** Runs one query with the next list of values. */
  | { readonly kind: 'query'; readonly text: string; readonly values: readonly (readonly (number | string)[])[] }

export interface FloorTask {
  readonly body: string
  readonly work: FloorWork
  readonly database: StoreAddress
  readonly redis: StoreAddress
}
